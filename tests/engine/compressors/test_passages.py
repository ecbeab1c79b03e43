from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors._passages import Passage, answer_length, choose
from caveman_engine.views import Request


def passages(*texts):
    return [Passage(text.lstrip("#"), text.count("#")) for text in texts]


def test_what_fits_is_all_shown():
    assert choose(passages("#a", "b", "c"), None, 1_000) == {0, 1, 2}


def test_nothing_fits_no_room():
    assert choose(passages("a" * 50), None, 10) == set()


def test_a_passage_brings_the_headings_above_it():
    found = choose(passages("#Book", "##One", "x" * 300, "##Two", "the lantern " * 9), "lantern", 250)
    assert found == {0, 1, 3, 4}  # the outline is cheap enough to stand whole


def test_a_passage_brings_what_it_needs():
    held = [Passage("--flag"), Passage("x" * 200), Passage("lights the lantern", needs=0)]
    assert choose(held, "lantern", 100) == {0, 2}


def test_without_a_question_the_greatest_prior_comes_first():
    held = [Passage("a" * 40, prior=0.1), Passage("b" * 40, prior=0.9)]
    assert choose(held, None, 85) == {1}


def test_what_is_asked_for_comes_before_what_matches():
    assert choose(passages("lantern " * 6, "other " * 8), "lantern", 95, asked=[1]) == {1}


def test_a_wide_script_gets_fewer_characters():
    letters, wide = "plain letters " * 2000, "漢字" * 14_000
    assert answer_length(Request("q", 100), letters) > answer_length(Request("q", 100), wide)
    assert answer_length(Request("q", 100, hard=True), letters) == 100


def test_an_answer_is_at_most_half_of_a_short_text_cmp_48_cmp_56():
    assert answer_length(Request("q", 100), "plain letters " * 400) == 2800
    assert answer_length(Request("q", 2400), "plain letters") == 2400


@given(st.lists(st.tuples(st.text(max_size=60), st.integers(0, 3)), max_size=30), st.integers(0, 800))
def test_the_budget_holds_and_headings_are_there(rows, budget):
    held = [Passage(text, level) for text, level in rows]
    for query in (None, "some words"):
        found = choose(held, query, budget)
        assert sum(len(held[i].text) + 1 for i in found) <= budget
        above = []
        for i, passage in enumerate(held):
            while passage.level and above and held[above[-1]].level >= passage.level:
                above.pop()
            if i in found and above:
                assert above[-1] in found
            if passage.level:
                above.append(i)
