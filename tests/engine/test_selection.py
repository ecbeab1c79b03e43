"""Filling a budget with the best lines."""

from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import selection


def test_nothing_is_taken_for_nothing():
    assert selection.fill([], {}, 100) == set()
    assert selection.fill(["a"], {0: 0.0}, 100) == set()


def test_the_best_lines_come_first_and_a_smaller_one_may_follow_one_that_does_not_fit():
    lines = ["x" * 50, "y" * 500, "z" * 50]
    assert selection.fill(lines, {0: 1.0, 1: 3.0, 2: 2.0}, 200) == {0, 2}


def test_a_neighbour_costs_no_new_marker():
    lines = ["x" * 40] * 4
    scores = {0: 3.0, 1: 2.0, 3: 2.5}
    room = 41 + selection.MARKER + 41
    assert selection.fill(lines, scores, room) == {0, 1}


def test_what_must_stand_is_taken_whatever_it_costs():
    assert selection.fill(["x" * 999], {}, 10, must=[0]) == {0}


@given(st.lists(st.text(max_size=30), max_size=30), st.integers(0, 500), st.data())
def test_the_budget_holds(lines, budget, data):
    scores = {i: data.draw(st.floats(0, 10)) for i in range(len(lines))}
    kept = selection.fill(lines, scores, budget)
    assert sum(len(lines[i]) + 1 for i in kept) <= budget
