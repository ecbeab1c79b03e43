from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.units.shape import LineNumbers, of_lines, offsets, rows


def test_a_last_line_end_opens_no_row():
    assert rows("a\nb\n") == ["a", "b"]
    assert rows("") == [""]
    assert list(offsets(rows("aa\n\nb"))) == [0, 3, 4]


def test_line_numbers_may_be_asked_in_any_order():
    numbers = LineNumbers("a\nb\nc\n")
    assert [numbers.of(at) for at in (4, 0, 2, 3)] == [3, 1, 2, 2]


def test_units_point_at_their_lines():
    units = of_lines("blocks", "a\nb\nc\nd\n", [0, 4])
    assert units.selector(0, 0) == "line=0,2"
    assert units.selector(0, 1) == "line=0,4"
    assert units.place(1, 1) == "lines 3-4"
    assert of_lines("lines", "a\nb\n", [0, 2]).place(1, 1) == "line 2"


def test_the_indentation_of_the_first_line_belongs_to_a_unit():
    units = of_lines("blocks", "x\n    y\n", [0, 6])
    assert units.unit(1) == "    y\n"
    assert of_lines("blocks", "x: y\n", [0, 3]).unit(1) == "y\n"


def test_a_line_without_any_break_is_cut_all_the_same():
    units = of_lines("lines", "x" * 100_000, [0])
    assert max(end - start for start, end in zip(units.starts, units.ends, strict=True)) <= 2000


@given(st.text(alphabet="ab \n", max_size=200), st.integers(1, 60))
def test_cut_units_join_to_the_text(text, times):
    text *= times * 3
    units = of_lines("lines", text, [0])
    assert "".join(text[a:b] for a, b in zip(units.starts, units.ends, strict=True)) == text
    assert all(b > a for a, b in zip(units.starts, units.ends, strict=True)) or not text
