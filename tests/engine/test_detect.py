"""The known traps of detection: never by one keyword."""

import json

import pytest

from caveman_engine import Engine

LOG = "".join(f"2026-03-01 10:00:{n % 60:02},123 - app - INFO - step {n}\n" for n in range(800))
TRACE = "".join(
    f'Traceback (most recent call last):\n  File "a.py", line {n}, in f\n    g()\nValueError: {n}\n'
    for n in range(200)
)
CASES = {
    "search output over source code is not code (cmp-22)": (
        "search-result",
        "".join(f"src/m{n % 7}.py:{n}:def f{n}(x): {{\n" for n in range(400)),
    ),
    "Python's logging with millisecond commas is not CSV (cmp-44)": ("log", LOG),
    "a log that is mostly stack frames is a log": ("log", TRACE),
    "one JSON record a line is JSON (tnj-22)": (
        "json",
        "".join(json.dumps({"k": n}) + "\n" for n in range(500)),
    ),
    "a dated CSV is not search output (cmp-43)": (
        "tabular",
        "date,id,amount\n" + "".join(f"2026-10-01,{n},9.50\n" for n in range(1000)),
    ),
    "a coloured diff is a diff (cmp-67)": (
        "diff",
        "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n"
        + " context\n\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[0m\n" * 40,
    ),
    "a page is a page": (
        "html",
        "<!doctype html><html><head><title>x</title></head><body>" + "<p>hello</p>" * 90,
    ),
    "a workflow file is configuration (cmp-49)": (
        "config",
        "on: push\njobs:\n"
        + "".join(f"  job-{n}:\n    timeout: 80\n    run: |\n      make\n" for n in range(40)),
    ),
    "a module is code": (
        "code",
        "import os\n\n"
        + "".join(f"def f{n}(x):\n    y = os.path.join(x)\n    return y\n\n\n" for n in range(60)),
    ),
    "prose is text": (
        "text",
        "The committee met on Tuesday and agreed on the plan. It will be published.\n\n" * 40,
    ),
    "test output is terminal output": (
        "terminal",
        "============================= test session starts ==============================\n"
        "platform linux -- Python 3.11.7, pytest-8.0.0\ncollected 400 items\n\n"
        + "".join(f"tests/test_a.py::test_{n} PASSED [ {n // 4}%]\n" for n in range(400))
        + "============================= 400 passed in 2.10s ==============================\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_type_is_recognised(case):
    kind, text = CASES[case]
    assert Engine().detect(text)[0][0] == kind


@pytest.mark.parametrize("case", CASES)
def test_crlf_line_ends_change_no_type(case):
    kind, text = CASES[case]
    assert Engine().detect(text.replace("\n", "\r\n"))[0][0] == kind


def test_bytes_full_of_nuls_are_binary():
    assert Engine().detect(b"\x00\x01" * 100) == [("binary", 1.0)]
