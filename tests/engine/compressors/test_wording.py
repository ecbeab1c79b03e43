import pytest

from caveman_engine.compressors import _wording

UNITS = [
    "SHAREDLIBV=libz.so.1.3.1",
    "int n = 3;",
    "#define set_cmp(a, b) strcmp(a, b)",
    "the quick brown fox",
]


@pytest.mark.parametrize(
    "query, best",
    [("shared library version", 0), ("how are keys compared", 2), ("brown fox", 3)],
    ids=["a word inside a name", "a programmer's short form", "the words themselves"],
)
def test_a_question_finds_the_unit_in_other_words(query, best):
    scores = _wording.relevance(query, UNITS)
    assert scores.index(max(scores)) == best


def test_nothing_matches_what_is_not_there():
    assert _wording.relevance("zebra", UNITS) == [0.0] * 4
    assert _wording.relevance("zebra", []) == []
    assert _wording.relevance("", UNITS) == [0.0] * 4


@pytest.mark.slow
def test_very_many_units_are_searched_by_letters():
    units = [f"unit {i} holds nothing of note in any of its words" for i in range(60_000)]
    units[41_000] = "the lantern hangs here"
    scores = _wording.relevance("where does the lantern hang", units)
    assert scores.index(max(scores)) == 41_000
