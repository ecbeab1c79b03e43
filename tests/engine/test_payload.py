"""The first look at the input: nothing is lost that a reader would see."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import payload


def shown(look):
    return look.head + "".join(look.shown(i) for i in range(len(look.lines))) + look.tail


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "one line\n",
        "a\nb\nc\n",
        "a\r\nb\r\n",
        "a\nb\r\nc\n",
        "mac\rline\rends\r",
        "tab\tand  spaces \n\n\n",
        '<file name="x>y">\nnever closed\n',
        "1. a list\n2. is not a gutter\n",
        " id | name | n\n----+------+---\n" + "".join(f"  {n} | row  | {n}\n" for n in range(1, 60)),
        "".join(f"{n}\tsecond\tthird\n" for n in range(1, 60)),
        "".join(f"row {n};{n * 7};x\r" for n in range(60)),
    ],
    ids=repr,
)
def test_a_plain_text_is_shown_as_it_stands(text):
    assert shown(payload.parse(text.encode())) == text


@given(st.text(st.characters(blacklist_characters="\x1b\x08", blacklist_categories=("Cs",))))
def test_any_text_without_codes_and_redraws_is_shown_as_it_stands(text):
    text = text.replace("\r", "").removeprefix("\ufeff")
    assert shown(payload.parse(text.encode())) == text


@given(st.binary(max_size=2000))
def test_any_bytes_parse(data):
    look = payload.parse(data)
    assert len(look.lines) == len(look.ends)
    assert look.raw == data


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("é".encode(), "utf-8"),
        (b"\xef\xbb\xbfa", "utf-8-sig"),
        ("grüße\n".encode("utf-16"), "utf-16"),
        ("plain ascii text\n".encode("utf-16-le"), "utf-16-le"),
        ("plain ascii text\n".encode("utf-16-be"), "utf-16-be"),
        ("une été à l'école où naît l'été\n".encode("latin-1"), "latin-1"),
    ],
    ids=["utf-8", "byte order mark", "utf-16", "utf-16 le bare", "utf-16 be bare", "latin-1"],
)
def test_the_encoding_is_recognised(data, encoding):
    assert payload.parse(data).encoding == encoding


def test_one_stray_byte_among_utf8_becomes_the_replacement_character_cmp_51():
    data = b"\n".join([b"INFO step ok"] * 249 + [b"caf\xe9 failed"] + [b"INFO step ok"] * 250)
    assert payload.parse(data).lines[249] == "caf\ufffd failed"


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"\x00\x01\x02" * 50, True),
        (b"text", False),
        ("text".encode("utf-16"), False),
        (b"", False),
        (b"a line of a log\n" * 50 + b"one \x00 NUL\n", False),
        (b"\x89PNG\r\n\x1a\n\x00" + b"\xff\xd8 data\n" * 90, True),
    ],
    ids=["NULs", "text", "utf-16", "empty", "a stray NUL in a log", "an image with few NULs"],
)
def test_binary_is_told_by_its_nuls(data, binary):
    assert payload.is_binary(data) is binary


def test_colours_go_and_the_text_stays_cmp_67():
    look = payload.parse(b"\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[m\n\x1b]8;;http://x\x07link\x1b]8;;\x07\n")
    assert look.lines == ["-old", "+new", "link"]
    assert look.coloured


def test_a_line_redrawn_with_returns_shows_its_last_state_cmp_42():
    data = "\r".join(f"progress {n}%" for n in range(1, 101)).encode()
    assert payload.parse(data).lines == ["progress 100%"]
    assert payload.parse(data + b"\ndone\n").lines == ["progress 100%", "done"]


def test_lines_redrawn_with_cursor_up_show_their_last_state_cmp_42():
    data = "".join(f"\x1b[1A\x1b[2Klayer 1: {n} MB\n" for n in range(299)) + "\x1b[1A\x1b[2Klayer 1: done\n"
    assert payload.parse(data.encode()).lines == ["layer 1: done"]


def test_each_line_keeps_its_own_end_cmp_53():
    look = payload.parse(b"a\nb\r\nc\n")
    assert look.ends == ["\n", "\r\n", "\n"]


def test_a_line_number_gutter_is_taken_off_and_shown_again_cmp_56():
    text = "".join(f"   {n}\tcode {n}\n" for n in range(12, 312)) + "remember to be kind\n"
    look = payload.parse(text.encode())
    assert look.lines[0] == "code 12"
    assert look.lines[-1] == "remember to be kind"
    assert look.number(0) == 12
    assert shown(look) == text


def test_a_closed_wrapper_goes_round_the_view_and_line_numbers_stay_the_sources():
    look = payload.parse(b'<file path="a.py">\nx = 1\ny = 2\n</file>\n')
    assert (look.head, look.tail) == ('<file path="a.py">\n', "</file>\n")
    assert look.number(0) == 2


@pytest.mark.parametrize("tag", ['<file name="x>y">', '<document index="1"', '<file path="a.log">'])
def test_a_wrapper_that_is_never_closed_is_a_line_like_the_others_cmp_54(tag):
    text = tag + "\n" + "".join(f"INFO step {n} ok\n" for n in range(300))
    look = payload.parse(text.encode())
    assert (look.head, look.tail, look.lines[0]) == ("", "", tag)
    assert shown(look) == text


def test_two_files_in_one_message_are_not_taken_for_one_wrapper_cmp_71():
    text = '<file path="a.py">\nx = 1\n</file>\n<file path="b.log">\ny\n</file>\n'
    look = payload.parse(text.encode())
    assert not look.head
    assert shown(look) == text


def test_a_table_whose_first_column_counts_has_no_gutter():
    rows = "".join(f"  {n} | row  | {n}\n" for n in range(1, 60))
    assert payload.parse(rows.encode()).gutters is None


def test_lines_that_end_in_lone_returns_are_no_redraws():
    look = payload.parse("".join(f"row {n};{n * 7};x\r" for n in range(60)).encode())
    assert len(look.lines) == 60


def test_colours_that_clear_to_the_end_of_the_line_take_no_text():
    data = b"a.c:\x1b[m\x1b[K In function \x1b[01m\x1b[Kmain\x1b[m\x1b[K:\na.c:3: \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kno ;\n"
    assert payload.parse(data).lines == ["a.c: In function main:", "a.c:3: error: no ;"]


def test_a_return_with_a_clear_takes_the_line_away():
    assert payload.parse(b"fetching 10%\x1b[K\rfetching 90%\x1b[K\r\x1b[Kdone\n").lines == ["done"]


def test_character_set_codes_go_too():
    assert payload.parse(b"\x1b[1merror\x1b(B\x1b[m: bad type\n").lines == ["error: bad type"]
