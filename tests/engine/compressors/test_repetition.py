"""[repetition]: the folded view can be unfolded to the input, byte for byte."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine.compressors import repetition
from caveman_engine.payload import from_text

_TOLD = re.compile(r"\[caveman: the (?:line|(\d+) lines) above (once|[\d,]+ times) more, \d+-\d+\]\n")


def unfolded(text):
    """Take a folded view apart again."""
    out = []
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        if told := _TOLD.fullmatch(line):
            times = 1 if told[2] == "once" else int(told[2].split()[0].replace(",", ""))
            out += out[-int(told[1] or 1) :] * times
        else:
            out.append(line)
    return "".join(out)


def test_different_lines_are_left_alone():
    assert repetition.folded(from_text("".join(f"line {n}\n" for n in range(50)))) is None


def test_lines_that_look_like_markers_are_left_alone():
    text = "[caveman: the line above 3 times more, 2-4]\n" * 50
    assert repetition.folded(from_text(text)) is None


def test_a_repeated_line_is_shown_once():
    text = "start\n" + "waiting for the lock of the cache\n" * 40 + "done\n"
    view = repetition.folded(from_text(text))
    assert view.text == (
        "start\nwaiting for the lock of the cache\n[caveman: the line above 39 times more, 3-41]\ndone\n"
    )
    assert (view.lossless, view.shown, view.total, view.markers) == (True, 42, 42, 1)


def test_a_repeated_block_is_shown_once():
    block = "".join(f"frame {n} of the stack that repeats\n" for n in range(5))
    view = repetition.folded(from_text("start\n" + block * 9 + "done\n"))
    assert view.text == "start\n" + block + "[caveman: the 5 lines above 8 times more, 7-46]\ndone\n"


def test_line_ends_that_differ_are_no_repeats():
    text = "waiting for the lock of the cache\n" * 10 + "waiting for the lock of the cache\r\n" * 10
    assert unfolded(repetition.folded(from_text(text)).text) == text


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from(["a" * 70, "b" * 70, "c", ""]), max_size=4), st.integers(1, 5)),
        max_size=8,
    )
)
def test_folding_loses_nothing(runs):
    text = "".join("".join(line + "\n" for line in block) * times for block, times in runs)
    view = repetition.folded(from_text(text))
    if view is not None:
        assert unfolded(view.text) == text
        assert len(view.text) < len(text)
