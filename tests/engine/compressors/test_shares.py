import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors import _shares

SIZES = st.dictionaries(st.integers(0, 99), st.integers(1, 500), min_size=1, max_size=30)


def test_what_fits_is_filled_whole():
    assert _shares.waterline([3, 5, 7], 100) == 7
    assert _shares.waterline([], 10) == 0


def test_short_parts_pass_on_what_they_do_not_need():
    sizes = {"a": 10, "b": 300, "c": 400}
    assert _shares.fair(sizes, {"a": 10, "b": 20, "c": 20}, 210, with_last=False) == {
        "a": 10,
        "b": 100,
        "c": 100,
    }


@pytest.mark.parametrize(("with_last", "kept"), [(True, [0, 1, 2, 99]), (False, [0, 1, 2, 3])])
def test_too_many_parts_leave_the_first_and_the_last(with_last, kept):
    sizes = dict.fromkeys(range(100), 50)
    assert list(_shares.fair(sizes, sizes, 220, with_last=with_last)) == kept


def test_one_part_is_shown_even_without_room():
    assert _shares.fair({"a": 90, "b": 90}, {"a": 60, "b": 60}, 10, with_last=False) == {"a": 60}


def test_parts_that_answer_come_before_context():
    sizes = {"a": 30, "b": 400, "c": 20, "d": 900}
    grants = _shares.by_score(sizes, {"a": 0, "b": 9.0, "c": 0, "d": 1.0}, 500)
    assert grants == {"b": 300, "a": 30, "c": 20}


@given(SIZES, st.integers(100, 3000))
def test_shares_stay_within_room_and_need(sizes, room):
    floors = {key: min(size, 40) for key, size in sizes.items()}
    grants = _shares.fair(sizes, floors, room, with_last=True)
    assert all(floors[key] <= grants[key] <= sizes[key] for key in grants)
    assert sum(grants.values()) <= room
    level = _shares.waterline(sizes.values(), room)
    assert sum(min(size, level) for size in sizes.values()) <= room


@given(SIZES, st.integers(100, 3000), st.data())
def test_the_best_part_is_always_served(sizes, room, data):
    scores = {key: data.draw(st.floats(0, 5)) for key in sizes}
    best = max(sizes, key=lambda key: scores[key])
    scores[best] += 1
    grants = _shares.by_score(sizes, scores, room)
    assert best in grants
    assert sum(grants.values()) <= room + _shares.LEAST
