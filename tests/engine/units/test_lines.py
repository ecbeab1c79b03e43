from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.units.lines import events, lines


def parts(units):
    return [units.text[start:end] for start, end in zip(units.starts, units.ends, strict=True)]


def test_each_line_is_a_unit_with_its_end():
    assert parts(lines("a\n\nb")) == ["a\n", "\n", "b"]
    assert parts(lines("a\n")) == ["a\n"]


def test_indented_lines_continue_an_event():
    assert parts(events("start\n  more\n\tand more\nnext\n")) == ["start\n  more\n\tand more\n", "next\n"]


def test_a_traceback_with_its_causes_is_part_of_the_line_before_it():
    text = (
        "job failed\nTraceback (most recent call last):\n  File 'a'\nValueError: inner\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n  File 'b'\nRuntimeError: outer\nnext job\n"
    )
    assert [part.split("\n")[0] for part in parts(events(text))] == ["job failed", "next job"]


def test_where_lines_are_stamped_a_line_without_a_stamp_continues():
    text = (
        "".join(f"2026-01-01 10:00:0{i} INFO a\n" for i in range(9))
        + "java.lang.X: y\n\tat z\nCaused by: q\n2026-01-01 b\n"
    )
    found = parts(events(text))
    assert len(found) == 10
    assert found[8].endswith("Caused by: q\n")


def test_a_text_that_begins_with_a_continuation_loses_nothing():
    assert "".join(parts(events("  a\nb\n"))) == "  a\nb\n"


@given(st.text(alphabet="ab \n\tT2:-"))
def test_units_of_any_text_join_to_the_text(text):
    for units in (lines(text), events(text)):
        assert "".join(parts(units)) == text
