import json

from caveman_engine import jsontext
from caveman_engine.compressors._json_records import tabulate
from caveman_engine.compressors._json_selection import Selection, listed


def choose(rows, room, query=None, scores=None):
    items = jsontext.parse(json.dumps(rows)).values[0]
    selection = Selection(tabulate(items, strict=False), items, room, query)
    return selection.choose(scores or [0.0] * len(items), 0)


def rows(count=200):
    return [
        {"name": f"item {n:04}", "kind": "a", "size": n * 37 % 101, "note": f"{n} " * 40}
        for n in range(count)
    ]


def names(columns):
    return [column.name for column in columns]


def test_all_rows_with_light_columns_where_they_fit():
    choice = choose([row | {"rank": row["size"] * 3, "rate": row["size"] / 2} for row in rows()], 9000)
    assert choice.complete
    assert names(choice.columns) == ["name", "size", "rank", "rate"]
    assert choice.constants == ['kind="a"']
    assert choice.notes() == ["… without 1 columns: note"]


def test_rows_that_stand_out_and_examples_where_they_do_not():
    table = rows(2000)
    table[1234]["size"] = 5000
    choice = choose(table, 4000)
    assert 1234 in choice.rows
    assert {0, 1999} <= set(choice.rows)
    assert f"… {2000 - len(choice.rows):,} more; all kind=a; " in choice.notes()[0]


def test_light_columns_alone_do_not_say_enough_without_a_name():
    choice = choose(
        [row | {"a": 1 + row["size"], "b": row["size"], "c": row["size"] - 1} for row in rows(500)], 7000
    )
    assert not choice.complete


def test_a_column_that_few_rows_have_says_so():
    table = rows(50)
    table[7]["reason"] = "full"
    choice = choose(table, 20_000)
    assert [choice.heading(column) for column in choice.columns if column.name == "reason"] == [
        "reason (1 of 50)"
    ]


def test_a_row_that_holds_the_whole_query_stands_alone():
    scores = [0.0] * 200
    scores[17] = 3.0
    choice = choose(rows(), 2000, "size of item 0017", scores)
    assert choice.rows == [17]
    assert choice.facts == ""


def test_names_are_listed_as_far_as_they_fit():
    assert listed(["a", "b"], 10) == "a, b"
    assert listed(["alpha", "beta", "gamma"], 13) == "alpha, beta, … 1 more"
