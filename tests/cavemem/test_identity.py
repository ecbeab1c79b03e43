"""Which texts are one fact, and which may be stored."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_mem.errors import BlankMemory
from caveman_mem.identity import folded, is_id, memory_id, storable


@pytest.mark.parametrize(
    "text", ["use tabs", " x ", "a\nb", "<b>private</b>", "privately", "<privates>are kept"]
)
def test_a_plain_text_is_stored_as_it_is(text):
    assert storable(text) == text or "<privates" in text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<private>hunter-7731</private> the port is 8080", "the port is 8080"),
        ("a <PRIVATE>x\ny</Private > b", "a  b"),
        ("a <private reason='x'>secret</private>", "a"),
        ("a <private>never closed", "a"),
        ("<private>one</private>a<private>two</private>", "a"),
        ("a <private>one<private>two</private>three</private> b", "a  b"),
        ("a <private>one<private>two</private>three", "a"),
        ("a</private> <private>one</private> b", "a  b"),
        ("a <private", "a"),
    ],
)
def test_private_parts_are_cut(text, kept):
    assert storable(text) == kept


def test_nothing_but_private_parts_is_nothing():
    with pytest.raises(BlankMemory):
        storable("<private>x</private> ")


def test_an_id_is_the_beginning_of_a_sha256_over_scope_text_and_occurrence():
    expected = hashlib.sha256(b"alpha\x00use tabs\x001").hexdigest()[:16]
    assert memory_id("alpha", "use tabs", 1) == "mem_" + expected
    assert is_id("mem_" + expected)


@pytest.mark.parametrize(
    "word", ["", "mem_", "mem_0123", "mem_0123456789ABCDEF", "ccr_0123456789abcdef", "mem_0123456789abcdef0"]
)
def test_other_words_are_no_ids(word):
    assert not is_id(word)


@given(st.text())
def test_folding_is_done_once(text):
    assert folded(folded(text)) == folded(text)
