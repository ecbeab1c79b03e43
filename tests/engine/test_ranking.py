"""BM25: against an independent oracle, and what a user expects of an order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from caveman_engine import ranking
from caveman_engine.ranking import relevance


@pytest.mark.parametrize("query", ["", "?!", "zirconium"])
def test_a_query_that_matches_nothing_scores_nothing(query):
    assert relevance(query, ["the lamp is teal", "red"]) == [0.0, 0.0]


def test_no_units_give_no_scores():
    assert relevance("lamp", []) == []


def test_saturation_and_idf_equal_rank_bm25():
    random.seed(5)
    words = [f"w{i}x" for i in range(40)]
    units = [[random.choice(words) for _ in range(random.randint(3, 12))] for _ in range(60)]
    query = ["w1x", "w2x", "w7x"]
    oracle = BM25Okapi(units, k1=ranking.K1, b=ranking.B)
    average = sum(map(len, units)) / len(units)
    # The oracle's idf may be negative; ours is compared through it, term by term.
    for term in query:
        theirs = oracle.get_scores([term])
        for unit, score in zip(units, theirs, strict=True):
            if oracle.idf[term]:
                ours = ranking.saturated(unit.count(term), len(unit), average) * oracle.idf[term]
                assert ours == pytest.approx(score)


def test_a_term_that_every_unit_holds_still_counts():
    assert all(score > 0 for score in relevance("deploy", ["deploy on Friday", "deploy from main"]))


def test_more_terms_held_score_more():
    scores = relevance("red green blue", ["red green blue", "red green", "red", "black"])
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4
    assert scores[3] == 0.0


def test_the_exact_form_scores_more_than_another_of_the_stem():
    exact, other = relevance("retries", ["it retries now", "it retried now"])
    assert exact > other > 0


def test_many_units_score_as_if_all_had_been_cut():
    random.seed(6)
    words = [
        "order",
        "orders",
        "ordering",
        "retry",
        "retried",
        "client_pool",
        "clientPool",
        "résumé",
        "青柠",
        "of",
    ]
    few = [" ".join(random.choices(words, k=4)) for _ in range(300)]
    scores = relevance("the ordering retries clientpool resume 青柠", few)
    singly = [
        score > 0
        for unit in few
        for score in relevance("the ordering retries clientpool resume 青柠", [unit])
    ]
    assert [score > 0 for score in scores] == singly


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=100))
def test_any_query_over_any_units_is_total_and_repeatable(query, units):
    scores = relevance(query, units)
    assert len(scores) == len(units)
    assert min(scores, default=0.0) >= 0.0
    assert relevance(query, units) == scores
