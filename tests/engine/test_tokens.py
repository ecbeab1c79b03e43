"""Both full counters agree, and no input brings them down."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import tokens

COUNTERS = ["_rs_bpe", "_tiktoken"]


@pytest.mark.parametrize("make", COUNTERS)
@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), ("hello world", 2), ("don't", 1), ("1234567", 3), ("漢字", 2), ("a\ud800b", 3)],
    ids=["empty", "words", "apostrophe", "digits by three", "cjk", "lone surrogate"],
)
def test_a_known_text_has_its_known_count(make, text, number):
    pytest.importorskip(make.removeprefix("_"))
    counter = getattr(tokens, make)()
    assert counter.basis == "o200k_base"
    assert abs(counter.count(text) - number) <= (1 if "\ud800" in text else 0)


@given(st.text(max_size=400))
@settings(max_examples=200)
def test_rs_bpe_counts_what_tiktoken_counts(text):
    pytest.importorskip("rs_bpe")
    assert tokens._rs_bpe().count(text) == tokens._tiktoken().count(text)


@pytest.mark.parametrize("make", COUNTERS)
@pytest.mark.parametrize(
    "text", [" " * 1_000_000, "a" * 1_000_000, "\n" * 200_000], ids=["spaces", "letters", "ends"]
)
def test_a_long_run_of_one_character_is_counted(make, text):
    pytest.importorskip(make.removeprefix("_"))
    assert 0 < getattr(tokens, make)().count(text) < len(text)


def test_cutting_tiktokens_input_changes_no_count():
    text = "def f(x):\n    return x\n\n\nclass A:\n    pass\n" * 3000
    whole = len(tokens.tiktoken_encoding().encode_ordinary(text))
    assert tokens._tiktoken().count(text) == whole


def test_without_a_tokenizer_a_fourth_of_the_characters_is_the_named_basis(monkeypatch):
    def missing():
        raise ImportError

    monkeypatch.setattr(tokens, "_rs_bpe", missing)
    monkeypatch.setattr(tokens, "_tiktoken", missing)
    counter = tokens.default_counter.__wrapped__()
    assert (counter.basis, counter.count("abcde")) == ("chars/4", 2)
