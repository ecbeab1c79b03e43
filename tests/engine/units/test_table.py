import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.units.table import row_starts, sniff, table


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "words, more words\nand no table\nat all, is, here\n",
        '{"a": 1, "b": 2}\n{"a": 1, "b": 2}',
        "a\nb\nc\n",
    ],
)
def test_what_is_no_table_has_no_rows(text):
    assert sniff(text) is None
    assert table(text) is None


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_the_delimiter_is_found(delimiter):
    text = "\n".join(delimiter.join(("a", str(i), "x")) for i in range(5))
    assert sniff(text) == delimiter


def test_a_comma_inside_quotes_does_not_count():
    assert sniff('a;b\n"x, y";1\n"z, z";2\n') == ";"


def test_five_ragged_rows_in_many_do_not_hide_a_table():
    rows = [f"{i},x" + (",extra" if i % 120 == 7 else "") for i in range(600)]
    assert sniff("id,v\n" + "\n".join(rows)) == ","


def test_a_quoted_line_end_ends_no_row_and_an_inch_sign_opens_nothing():
    text = 'id,note\n1,"two\nlines\nthree"\n2,5" pipe\n3,"a ""b"" c"\n'
    assert [text[at : at + 2] for at in row_starts(text, ",")] == ["id", "1,", "2,", "3,"]


def test_a_quote_that_is_never_closed_swallows_one_line_only():
    text = 'a,b\n1,"open\n' + "".join(f"{i},x\n" for i in range(2000))
    assert len(row_starts(text, ",")) == 2002


def test_rows_are_numbered_from_the_header_on():
    found = table("a,b\n1,2\n3,4\n5,6\n")
    assert (found.noun, len(found), found.text[slice(*found.lead)]) == ("rows", 3, "a,b\n")
    assert found.selector(0, 0) == "row=2"
    assert found.selector(0, 2) == "row=2-4"
    assert found.place(1, 2) == "rows 3-4"
    assert found.unit(2) == "5,6\n"


CELLS = st.lists(st.tuples(*[st.text(alphabet='a",;\n |é', max_size=6)] * 3), min_size=2, max_size=10)


@given(CELLS, st.sampled_from([",", ";", "\t"]))
def test_rows_of_any_quoted_table_are_those_a_reader_finds(rows, delimiter):
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL, delimiter=delimiter, lineterminator="\n").writerows(rows)
    text = file.getvalue()
    starts = row_starts(text, delimiter)
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    assert [next(csv.reader(io.StringIO(piece, newline=""), delimiter=delimiter)) for piece in pieces] == [
        list(row) for row in rows
    ]
