import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors import _tables


def read(text):
    return _tables.read(text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("a,b\n1,2\n", id="two lines"),
        pytest.param("1,2,3\n4,5,6\n7,8,9\n1,1,1\n", id="no header"),
        pytest.param("a,a,b\n1,2,3\n1,2,3\n1,2,3\n", id="a header that repeats"),
        pytest.param("x = f(a, b)\ny = f(c, d)\nz = f(e, f)\nw = g(h, i)\n", id="code"),
        pytest.param("to be, or not\nthat is, indeed, so\nor, else\nnot, at, all, here\n", id="prose"),
    ],
)
def test_what_is_no_table_is_not_read(text):
    assert read(text) is None


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_every_delimiter_is_found(delimiter):
    text = "\n".join(
        delimiter.join(row) for row in (["id", "name", "city"], *[[str(n), "x", "y"] for n in range(9)])
    )
    grid = read(text)
    assert (grid.delimiter, grid.header, len(grid.rows)) == (delimiter, ["id", "name", "city"], 9)


def test_quoted_cells_go_on_over_lines():
    grid = read(
        "id,city,note\n" + "".join(f'{n},Oslo,"line one\nline ""two"", {n}"\n' for n in range(1, 300))
    )
    assert (len(grid.rows), grid.rows[5].first, grid.rows[5].last) == (299, 11, 12)
    assert grid.rows[5].cells == ["6", "Oslo", '"line one\nline ""two"", 6"']


def test_a_lone_quote_is_a_character():
    grid = read("id,size\n" + "".join(f'{n},{n}" wide\n' for n in range(9)))
    assert [row.cells[1] for row in grid.rows] == [f'{n}" wide' for n in range(9)]


def test_an_escaped_bar_ends_no_cell():
    grid = read("| id | name |\n|---|---|\n" + "| 1 | x |\n" * 3 + "| 2 | a\\|b |\n")
    assert grid.rows[3].cells == ["2", "a\\|b"]


def test_rows_of_another_length_are_rows_too():
    grid = read("id,a,b\n" + "1,2,3\n" * 20 + "1,2,3,4\n")
    assert len(grid.rows[20].cells) == 4


NAMES = st.text("abcdefgh", min_size=1, max_size=6)
CELL = st.text('ab1 ,"\n;é|', max_size=6)


@given(
    st.lists(NAMES, min_size=3, max_size=5, unique=True),
    st.lists(st.lists(CELL, min_size=3, max_size=5), min_size=4, max_size=30),
)
def test_cells_are_those_of_the_csv_reader(header, rows):
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(header)
    rows = [(row * 2)[: len(header)] for row in rows]
    writer.writerows(rows)
    grid = _tables.read(table.getvalue().split("\n")[:-1])
    if grid is None or grid.delimiter != ",":
        return
    read = [
        [cell[1:-1].replace('""', '"') if cell.startswith('"') else cell for cell in row.cells]
        for row in grid.rows
    ]
    assert read == rows
