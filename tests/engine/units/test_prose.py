from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.units.prose import paragraphs


def parts(units):
    return [units.text[start:end] for start, end in zip(units.starts, units.ends, strict=True)]


def heading(units, index):
    span = units.context(index)
    return None if span is None else units.text[slice(*span)]


def test_blank_lines_part_paragraphs():
    assert parts(paragraphs("a\nb\n\n \nc\n")) == ["a\nb\n\n \n", "c\n"]


def test_a_paragraph_knows_the_heading_that_it_stands_under():
    units = paragraphs("# One\n\nfirst\n\nTwo\n===\n\nsecond\n\n3.1. Three\n\nthird\n")
    assert [heading(units, index) for index in range(6)] == [
        None,
        "# One",
        None,
        "Two\n===",
        None,
        "3.1. Three",
    ]
    assert units.outline() == ["# One", "Two", "3.1. Three"]


def test_a_fence_is_whole_also_when_it_is_never_closed():
    assert len(parts(paragraphs("a\n\n```\nx\n\ny\n```\n\nb\n"))) == 3
    assert len(parts(paragraphs("a\n\n    ~~~\n    x\n\n    y\n\nb\n"))) == 2


def test_a_very_long_paragraph_is_cut_at_line_ends_and_keeps_its_heading():
    units = paragraphs("# Top\n\n" + "word " * 20 + "\n" + ("line of words\n" * 2000))
    assert all(len(part) <= 2000 for part in parts(units))
    assert all(part.endswith("\n") for part in parts(units))
    assert heading(units, 5) == "# Top"
    assert units.selector(3, 3).startswith("line=")


@given(st.text(alphabet="ab \n#`=~-1.\r"))
def test_units_of_any_text_join_to_the_text(text):
    assert "".join(parts(paragraphs(text))) == text
