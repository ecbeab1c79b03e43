import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.errors import SelectorMismatch, SelectorNotFound
from caveman_engine.recovery.pointers import JsonPart, Lines, Rows, parse_selector
from caveman_engine.recovery.selectors import select


def cut(original, text):
    return select(original, parse_selector(text), where="here")


def test_selecting_everything_gives_everything():
    for original in (b"a\nb\n", b"a\r\nb", b"\xff\xfea\0\n\0", b"caf\xe9\nx"):
        assert cut(original, "line=,99") == original


@pytest.mark.parametrize(
    ("original", "selector", "part"),
    [
        (b"a\nb\nc\n", "line=1,2", b"b\n"),
        (b"a\nb\nc", "line=1,", b"b\nc"),
        (b"a\r\nb\rc\nd", "line=1,3", b"b\rc\n"),
        (b"a\n\n\nb", "line=1,3", b"\n\n"),
        (b"caf\xe9 failed\nok\n", "line=0,1", b"caf\xe9 failed\n"),
        ("a\nb\n".encode("utf-16"), "line=1,2", "b\n".encode("utf-16-le")),
    ],
)
def test_lines_are_source_bytes_with_their_own_ends(original, selector, part):
    assert cut(original, selector) == part


def test_a_last_line_end_opens_no_further_line():
    with pytest.raises(SelectorNotFound, match="2 lines"):
        cut(b"a\nb\n", "line=2,3")
    with pytest.raises(SelectorNotFound, match="0 lines"):
        cut(b"", "line=0,1")


TABLE = b'id,note\r\n1,"two\r\nlines"\r\n2,"say ""hi"""\r\n3,5" pipe\r\n4,end'


@pytest.mark.parametrize(
    ("selector", "part"),
    [
        ("row=1", b"id,note\r\n"),
        ("row=2", b'id,note\r\n1,"two\r\nlines"\r\n'),
        ("row=3-4", b'id,note\r\n2,"say ""hi"""\r\n3,5" pipe\r\n'),
        ("row=5-*", b"id,note\r\n4,end"),
        ("row=1-*", TABLE),
        ("row=5-99", b"id,note\r\n4,end"),
    ],
)
def test_rows_come_with_the_header_and_whole(selector, part):
    assert cut(TABLE, selector) == part


def test_a_row_behind_the_last_one_is_not_found():
    with pytest.raises(SelectorNotFound, match="5 rows"):
        cut(TABLE, "row=6")


DOC = b'{"b": 1.10, "a": [1e400, {"x": "\\u003c", "\xc3\xa9": 100000000000000000000000000001}],\n "b": 2, "": 3, "a/b": 4, "m~n": 5}'


@pytest.mark.parametrize(
    ("selector", "part"),
    [
        ("/a/0", b"1e400"),
        ("/a/1", b'{"x": "\\u003c", "\xc3\xa9": 100000000000000000000000000001}'),
        ("/a/1/x", b'"\\u003c"'),
        ("/a/1/%C3%A9", b"100000000000000000000000000001"),
        ("/b", b"2"),
        ("/", b"3"),
        ("/a~1b", b"4"),
        ("/m~0n", b"5"),
    ],
)
def test_json_parts_are_slices_of_the_source(selector, part):
    assert cut(DOC, selector) == part


@pytest.mark.parametrize("selector", ["/c", "/a/2", "/a/01", "/a/-", "/a/-1", "/b/x", "/a/x"])
def test_a_part_that_is_not_there_is_not_found(selector):
    with pytest.raises(SelectorNotFound):
        cut(DOC, selector)


def test_ndjson_is_pointed_into_like_an_array():
    stream = b'{"i": 1}\n{"i": 2.0}\n\n[3]\n'
    assert cut(stream, "/1/i") == b"2.0"
    assert cut(stream, "/2/0") == b"3"
    with pytest.raises(SelectorNotFound, match="3 values"):
        cut(stream, "/3")


def test_a_byte_order_mark_and_utf_16_do_not_hide_json():
    assert cut(b'\xef\xbb\xbf{"a": "\xc3\xa9"}', "/a") == b'"\xc3\xa9"'
    assert cut('{"a": 7}'.encode("utf-16"), "/a") == "7".encode("utf-16-le")


@pytest.mark.parametrize(
    ("original", "selector"),
    [
        (b'{"a": 1}', "row=2-3"),
        (b'[\n {"a": 1, "b": 2},\n {"a": 1, "b": 2}\n]', "row=2-3"),
        (b"plain words\nand more\n", "row=1"),
        (b"plain words", "/a"),
        (b"[INFO] started\n[INFO] ended\n", "/0"),
        (b"12 monkeys", "/0"),
        (b"", "/a"),
        (b"\x00\x00\x01\x00\x00\x02\xff", "line=0,1"),
        (b"\x00\x00\x01\x00\x00\x02\xff", "/a"),
    ],
)
def test_a_selector_that_does_not_fit_the_content_is_a_mismatch(original, selector):
    with pytest.raises(SelectorMismatch):
        cut(original, selector)


def test_deep_nesting_is_no_obstacle():
    deep = b"[" * 50_000 + b"7" + b"]" * 50_000
    assert cut(deep, "/0/0/0").startswith(b"[[[")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


def parts(value, path=()):
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from parts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from parts(inner, (*path, str(index)))


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_every_part_of_any_document_is_found_and_stands_in_it(value, indent, ascii_only):
    original = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    for path, part in parts(value):
        if not path:
            continue
        found = select(original, JsonPart(path), where="")
        assert found in original
        assert json.loads(found.decode("utf-8", "surrogatepass")) == part


@given(st.binary(max_size=300), st.integers(0, 12), st.integers(1, 12))
def test_line_slices_of_any_bytes_join_to_the_whole(original, start, length):
    from caveman_engine.payload import decode, is_binary

    if is_binary(original) or decode(original)[1].startswith("utf-16"):
        return
    lines = re.findall(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$", original)
    asked = Lines(start, start + length)
    if start < len(lines):
        assert select(original, asked, where="") == b"".join(lines[start : start + length])
    else:
        with pytest.raises(SelectorNotFound):
            select(original, asked, where="")


CELL = st.text(alphabet='ab",\n;é ', max_size=8)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=2, max_size=8), st.data())
def test_row_slices_of_any_table_are_its_rows(rows, data):
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("h1", "h2", "h3"), *rows])
    original = file.getvalue().encode()
    number = data.draw(st.integers(2, len(rows) + 1))
    part = select(original, Rows(number, number), where="").decode()
    assert list(csv.reader(io.StringIO(part, newline="")))[1:] == [list(rows[number - 2])]
