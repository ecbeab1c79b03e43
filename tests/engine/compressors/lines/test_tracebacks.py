"""Stack traces: where they begin and end."""

from caveman_engine.compressors.lines.standouts import digest
from caveman_engine.compressors.lines.tracebacks import tracebacks

PYTHON = ["Traceback (most recent call last):", '  File "a.py", line 3, in f', "    g()", "ValueError: inner"]
JAVA = [
    "java.io.IOException: top",
    "\tat a.B.c(B.java:7)",
    "\tat a.B.d(B.java:9)",
    "Caused by: java.lang.Error: root",
    "\tat x.Y.z(Y.java:1)",
    "\t... 3 more",
]


def test_plain_lines_have_no_traceback():
    assert list(tracebacks(["a", "  b", "at home", ""])) == []


def test_pythons_ends_with_its_exception():
    assert list(tracebacks(["x", *PYTHON, "y"])) == [(1, 5)]


def test_javas_begins_with_its_exception_and_holds_the_cause():
    assert list(tracebacks(["x", *JAVA, "y"])) == [(1, 7)]


def test_one_that_is_cut_off_ends_with_the_text():
    assert list(tracebacks(PYTHON[:2])) == [(0, 2)]


def test_frames_stand_with_their_exception():
    lines = [f"INFO step {n} ok" for n in range(100)]
    found = digest([*lines, *JAVA, *lines])
    assert all(found.scores[100 + n] > 4 for n in range(len(JAVA)))
