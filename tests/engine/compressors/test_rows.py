import pytest

from caveman_engine.compressors import _rows
from caveman_engine.compressors._rows import Column


def standing_out(*columns, prefer=()):
    return _rows.standing_out([Column(name, cells) for name, cells in columns], len(columns[0][1]), prefer)


def test_rows_all_alike_give_the_first_and_the_last():
    assert standing_out(("state", ["ok"] * 9)) == [0, 8]


def test_no_rows_give_none():
    assert _rows.standing_out([], 0) == []


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        pytest.param([str(n % 7) for n in range(50)] + ["99", "3"], 50, id="the highest number"),
        pytest.param(
            ["1,200.50", "$3", "7%", *["40"] * 60, "-1,000", "40"],
            63,
            id="the lowest, thousands and signs apart",
        ),
        pytest.param(
            [f"{1 + n % 9}/1/2017" for n in range(40)] + ["2/3/1901", "5/5/2017"],
            40,
            id="the earliest American date",
        ),
        pytest.param(
            [f"2017-0{1 + n % 9}-01" for n in range(40)] + ["1901-02-03", "2017-05-05"],
            40,
            id="the earliest ISO date",
        ),
        pytest.param(["ok"] * 70 + ["refused"] + ["ok"] * 9, 70, id="a rare kind"),
        pytest.param(["8"] * 30 + ["null"] + ["9", "7"] * 50, 30, id="nothing where others have something"),
        pytest.param([""] * 70 + ["note"] + [""] * 29, 70, id="something where others have nothing"),
        pytest.param(
            [f"word{n}" for n in range(60)] + ["disk failed"] + [f"name{n}" for n in range(40)],
            60,
            id="words of failure",
        ),
        pytest.param([f"w{n}" for n in range(60)] + ["w" * 40] + ["x"], 60, id="the longest text"),
        pytest.param([f"n{n}" for n in range(60)] + [r"a\|b"] + ["n3"], 60, id="a form that others have not"),
        pytest.param([str(n) for n in range(60)] + ["n.a."] + ["3"], 60, id="a word among numbers"),
    ],
)
def test_a_row_stands_out_by_its_cell(cells, row):
    assert row in standing_out(("value", cells))


@pytest.mark.parametrize("cells", [["error: none"] * 50 + ["error: none"], ["0"] * 40 + ["1"] * 40])
def test_what_many_share_does_not_stand_out(cells):
    assert standing_out(("value", cells)) == [0, len(cells) - 1]


def test_columns_named_by_a_query_come_first():
    votes = [str(n % 50) for n in range(60)]
    rating = [str((n * 7) % 50) for n in range(60)]
    votes[33], rating[44] = "900", "900"
    both = standing_out(("votes", votes), ("rating", rating), prefer={"rating"})
    assert both.index(44) < both.index(33)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        pytest.param("the first item", [0], id="first"),
        pytest.param("title of the last record", [99], id="last"),
        pytest.param("what is in record 17", [16, 17], id="a number, counted from 0 or 1"),
        pytest.param("row 500", [], id="beyond the end"),
        pytest.param("highest total", [], id="no place"),
    ],
)
def test_places_are_understood(query, rows):
    assert _rows.positions(query, 100) == rows


def test_names_share_a_word_with_the_query_in_any_spelling():
    assert _rows.named("best mileage per gallon", ["Miles_per_Gallon", "Name"]) == {"Miles_per_Gallon"}
    assert _rows.named("which film has most imdbVotes", ["IMDB Votes", "Title"]) == {"IMDB Votes"}


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        pytest.param("total of order A-137", [3], id="all words but the column's"),
        pytest.param("the highest total of order A-137", [], id="an extreme"),
        pytest.param("how many orders", [], id="a count"),
        pytest.param("order B-9", [], id="a word that no row has"),
    ],
)
def test_a_row_answers_alone_when_it_holds_all_words(query, rows):
    assert (
        _rows.holding_all(query, ["order", "total"], {3: "A-137 12.50", 4: "A-138 137.00", 5: "A-139 1"})
        == rows
    )
