import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors import _json_shorten


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def test_a_long_string_keeps_its_head_length_and_hash():
    text = "word " * 200
    assert _json_shorten.string(text, 60, None) == f'"{text[:24]}…"(1,000 characters, sha256 {digest(text)})'


def test_a_blob_keeps_less():
    blob = "QUJD" * 500
    assert _json_shorten.string(blob, 600, None) == f'"{blob[:24]}…"(2,000 characters, sha256 {digest(blob)})'


@pytest.mark.parametrize("room", range(36, 60))
def test_no_escape_is_cut_in_two(room):
    source = r"a\u00e9\n\"\\" * 40
    head = _json_shorten.string(source, room, None).split("…")[0]
    json.loads(head + '"')


def test_with_a_query_the_sentences_that_answer_it_stay():
    source = "The first one. " * 20 + "The ledger closes at nine. " + r"Another one.\nAnd more. " * 20
    assert '"The ledger closes at nine.…"' in _json_shorten.string(source, 120, "when does the ledger close")


def test_a_short_vector_is_whole():
    assert _json_shorten.vector(["1", "2.50"], 100) == ("[1,2.50]", 2)


@given(st.lists(st.integers(-9999, 9999).map(str), min_size=120, max_size=200), st.integers(10, 500))
def test_a_long_vector_says_its_range_and_how_many_are_left_out(numbers, room):
    text, shown = _json_shorten.vector(numbers, room)
    low, high = min(map(int, numbers)), max(map(int, numbers))
    assert f"… {len(numbers) - shown:,} more of {low}..{high}, sha256 {digest(','.join(numbers))}" in text
    ends = text[1:-1].split(",… ")[0].split(",")
    assert ends == numbers[: shown // 2]
