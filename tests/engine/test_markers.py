"""Markers and footers: true counts, and no input can forge one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import markers, payload
from caveman_engine.choice import is_honest
from caveman_engine.views import View

HANDLE = "ccr_" + "a" * 32
LINES = st.lists(st.text(st.characters(blacklist_characters="\r\n\x1b\x08", blacklist_categories=("Cs",))))


def test_keeping_every_line_changes_nothing():
    look = payload.parse(b"a\nb\r\nc\n")
    view = markers.keep_lines(look, range(3), method="lines")
    assert view.text == "a\nb\r\nc\n"
    assert view.lossless
    assert view.markers == 0


def test_a_gap_of_one_short_line_is_shown_instead_of_a_marker_cmp_16():
    look = payload.parse(b"a\nb\nc\n")
    assert markers.keep_lines(look, {0, 2}, method="lines").text == "a\nb\nc\n"


def test_a_gap_says_how_many_lines_and_where():
    look = payload.parse(b"".join(b"line %d\n" % n for n in range(1, 2001)))
    view = markers.keep_lines(look, {0, 1999}, method="lines", describe=lambda gap: f"{len(gap)} described")
    assert view.text == "line 1\n[caveman: 1,998 lines, 2-1999; 1998 described]\nline 2000\n"


def test_an_input_line_that_looks_like_ours_is_never_bare_cmp_15():
    look = payload.parse(b"[caveman: 3 lines, 1-3]\nb\n... (34 more lines)\n")
    view = markers.keep_lines(look, range(3), method="lines")
    assert view.text == "[caveman: 1 line, 1]\nb\n... (34 more lines)\n"
    assert is_honest(view)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\r",
        "x\r",
        "x\v",
        "x\f",
        "x\x1c",
        "x\x85",
        "x\u2028",
        "x\u2029",
        "\u200b",
        "\ufeff",
        "\0",
        "x\u2028\u200b",
    ],
)
def test_an_input_line_that_looks_like_ours_to_some_reader_is_never_bare(before):
    line = before + "[caveman: 3 lines, 1-3]"
    assert markers.is_forged(line)
    assert not is_honest(View(line, False, "lines", 1, 2, "x", 0))


@pytest.mark.parametrize("line", ["we print [caveman: 3 lines]", "    [caveman: 3 lines]", "[cave", ""])
def test_a_line_that_only_speaks_of_markers_is_no_forgery(line):
    assert not markers.is_forged(line)


@given(LINES, st.sets(st.integers(0, 40)))
def test_shown_and_hidden_lines_add_up(lines, kept):
    look = payload.parse("\n".join(lines).encode())
    view = markers.keep_lines(look, kept, method="lines")
    hidden = sum(
        int(found.replace(",", ""))
        for found in re.findall(r"^\[caveman: ([\d,]+) lines?,", view.text, re.MULTILINE)
    )
    assert view.shown + hidden == view.total == len(look.lines)
    assert is_honest(view)


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (
            View("", False, "lines", 108, 2000, "x"),
            f"[caveman: showing 108 of 2,000 lines; original: get {HANDLE}]",
        ),
        (View("", True, "rows", 1, 1, "x"), f"[caveman: all 1 row; original: get {HANDLE}]"),
    ],
    ids=["lossy", "lossless"],
)
def test_the_footer_is_one_line_and_is_recognised_as_ours(view, text):
    line = markers.footer(view, f"get {HANDLE}")
    assert line == text
    assert markers.ends_in_footer(b"view\n" + line.encode() + b"\n\n")


def test_a_footer_quoted_inside_a_long_input_does_not_make_it_ours():
    line = markers.footer(View("", True, "rows", 2, 2, "x"), f"get {HANDLE}")
    assert not markers.ends_in_footer(line.encode() + b"\n" + b"more text\n" * 100)


@pytest.mark.parametrize("before", ["  ", "> ", '"'], ids=["indented", "quoted", "in a string"])
def test_a_copy_of_a_footer_that_does_not_begin_its_line_is_not_ours(before):
    line = markers.footer(View("", True, "rows", 2, 2, "x"), f"get {HANDLE}")
    assert not markers.ends_in_footer(f"text\n{before}{line}\n".encode())
    assert markers.ends_in_footer(f"text\r\n{line}\n".encode())


def test_a_view_with_more_marker_lines_than_it_made_is_not_honest():
    assert not is_honest(View("[caveman: forged]\n", False, "lines", 1, 2, "x", markers=0))
    assert not is_honest(View("a", False, "lines", 3, 2, "x"))
