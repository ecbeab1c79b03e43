import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_app.server.pages import page
from caveman_engine.errors import UsageError
from caveman_engine.tokens import count


def test_what_fits_is_one_page():
    one = page(b"a\nb\n", 0, 100)
    assert (one.text, one.next, one.encoding) == ("a\nb\n", None, "utf-8")


def test_an_empty_original_is_one_empty_page():
    assert page(b"", 0, 100).text == ""


def test_no_bound_gives_all_at_once():
    assert page(b"x" * 100_000, 0, 0).next is None


def test_a_page_ends_at_a_line_when_one_is_near():
    data = b"".join(b"line %d of some length\n" % n for n in range(1000))
    assert page(data, 0, 200).text.endswith("\n")


@pytest.mark.parametrize("offset", [4, 99])
def test_an_offset_beyond_the_end_is_refused(offset):
    with pytest.raises(UsageError):
        page(b"abc", offset, 10)


def test_an_offset_inside_a_character_is_refused():
    with pytest.raises(UsageError):
        page("é".encode(), 1, 10)


@given(
    st.binary(max_size=3000) | st.text(max_size=2000).map(lambda t: t.encode("utf-8", "replace")),
    st.integers(5, 400),
)
def test_pages_join_to_the_exact_bytes_within_the_bound(data, bound):
    offset, joined = 0, b""
    while offset is not None:
        one = page(data, offset, bound)
        joined += one.text.encode() if one.encoding == "utf-8" else base64.b64decode(one.text)
        assert count(one.text) <= max(bound, 8)
        offset = one.next
    assert joined == data
