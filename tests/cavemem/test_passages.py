"""The part of a fact that answers."""

from hypothesis import given
from hypothesis import strategies as st

from caveman_mem.passages import _pieces, passage


def words(text):
    return len(text.split())


def test_a_text_that_fits_is_shown_whole():
    assert passage("one. two. three.", "two", 100, words) == "one. two. three."


def test_without_a_match_the_beginning_is_shown():
    text = " ".join(f"sentence {i} stands here." for i in range(100))
    assert passage(text, "zirconium", 20, words).startswith("sentence 0 stands here.")


def test_matches_are_shown_in_their_order_with_gaps_between():
    text = "The lamp is teal. " + "Nothing here. " * 40 + "The lamp was red. " + "Nothing there. " * 40
    found = passage(text, "lamp", 40, words)
    assert found.index("teal") < found.index("red")
    assert found.count("…") == 2


def test_a_line_without_an_end_is_cut_between_words():
    text = "lorem " * 2000 + "zirconium valve " + "ipsum " * 2000
    found = passage(text, "zirconium", 60, words)
    assert "zirconium valve" in found
    assert words(found) <= 60


@given(st.text(max_size=600))
def test_the_pieces_of_any_text_are_the_text(text):
    assert "".join(_pieces(text)) == text


@given(st.text(max_size=600), st.text(max_size=20), st.integers(8, 200))
def test_a_passage_of_any_text_is_within_its_room(text, query, room):
    assert len(passage(text, query, room, len)) <= room
