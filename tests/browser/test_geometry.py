"""Boxes and the windows they are seen through."""

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from caveman_browser.geometry import Window, area, meet

SIDES = st.integers(-50, 50)
BOXES = st.builds(
    lambda x, y, w, h: (x, y, x + w, y + h), SIDES, SIDES, st.integers(0, 60), st.integers(0, 60)
)


def test_a_box_in_the_page_is_seen_and_one_before_its_beginning_is_not():
    assert not Window().hides((0, 0, 10, 10))
    assert Window().hides((-90, 0, -80, 10))
    assert Window().hides((0, -90, 10, -80))
    assert Window(right=100).hides((101, 0, 200, 10))


def test_a_page_that_reads_from_the_right_has_no_left_beginning():
    assert not Window(left=-inf).hides((-90, 0, -80, 10))


def test_a_clipping_box_hides_what_is_outside_or_one_pixel_wide():
    window = Window().clipped((0, 0, 100, 20))
    assert not window.hides((10, 10, 50, 40))
    assert window.hides((10, 30, 50, 40))
    assert Window().clipped((0, 0, 1, 1)).hides((0, 0, 60, 18))


def test_what_is_scrolled_past_is_seen_once_the_offset_is_known():
    box = (0, 0, 100, 50)
    unknown = Window().scrolling(box, None)
    assert unknown.may_be_scrolled_to((0, -500, 90, -480))
    assert not unknown.hides((0, -500, 90, -480))
    known = Window().scrolling(box, [0, 600, 100, 900])
    assert not known.hides((0, -500, 90, -480))
    assert known.hides((0, -700, 90, -680))


@given(BOXES, BOXES)
def test_what_two_boxes_share_lies_in_both(one, other):
    shared = meet(one, other)
    assert area(shared) <= min(area(one), area(other))
    assert meet(one, other) == meet(other, one)
