"""Which lines are shown when not all are."""

from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import axchoice, axline, axpage
from caveman_engine.axnode import Node


def table(count):
    heads = Node("row", children=[Node("columnheader", children=[Node("text", "No")])])
    rows = [
        Node("row", children=[Node("cell", children=[Node("text", f"INV-{i}")]), Node("cell")])
        for i in range(count)
    ]
    return Node("table", children=[heads, *rows])


def page(*children):
    return axpage.lines(Node("page", "T", children=list(children)))


def length(line):
    return len(line.write()) + 1


def kept(found, order, budget):
    return [found[at].write().strip() for at in axchoice.fit(found, order, budget, length)]


def test_a_row_comes_with_its_heads_and_with_what_it_stands_in():
    found = page(Node("main", children=[table(50)]))
    assert kept(found, [30], 1000) == ['page "T"', "main", "columns: No", "row: INV-27 |"]


def test_a_row_keeps_its_heads_across_a_row_that_is_longer_than_a_line():
    long = Node(
        "row", children=[Node("cell", children=[Node("text", "w" * 2000), None, Node("textbox", "A")])]
    )
    grid = table(3)
    grid.children[2:2] = [long]
    found = page(
        grid, Node("heading", "H"), Node("row", children=[Node("cell", children=[Node("text", "x")])])
    )
    assert [line.label for line in found] == [
        "page",
        "columns",
        "row",
        "row",
        "text",
        "textbox",
        "row",
        "row",
        "heading",
        "row",
    ]
    assert kept(found, [7], 1000) == ['page "T"', "columns: No", "row: INV-2 |"]
    assert kept(found, [9], 1000) == ['page "T"', "row: x"]


def test_ten_thousand_matches_are_weighed_in_a_moment():
    found = page(table(10_000))
    assert len(axchoice.fit(found, range(2, 10_002), 500, length)) < 60


def test_the_first_choice_is_shown_even_when_it_does_not_fit():
    found = page(Node("heading", "h" * 100))
    assert len(kept(found, [1], 10)) == 2


def test_headings_and_controls_come_before_the_tenth_row():
    found = page(table(100), Node("heading", "H"), Node("textbox", "Mail"))
    shown = kept(found, axchoice.by_need(found), 200)
    assert 'heading "H"' in shown
    assert 'textbox "Mail"' in shown
    assert "row: INV-0 |" in shown
    assert "row: INV-99 |" not in shown


def test_gaps_are_named_with_counts_that_add_up():
    found = page(table(100), Node("heading", "H"))
    shown = axchoice.fit(found, [2, 102], 1000, length)
    text = axchoice.write_kept(found, shown, axline.no_reference, None, gaps=True)
    assert "… 99 rows\n" in text
    assert text.count("…") == 1


def test_a_match_in_a_card_comes_with_its_heading():
    found = page(
        *[part for i in range(3) for part in (Node("heading", f"Card {i}"), Node("button", "Delete"))]
    )
    assert axchoice.governing(found, [4]) == {3}


@given(st.integers(0, 400), st.integers(1, 3000))
def test_what_is_kept_fits_and_every_line_has_what_it_stands_in(count, budget):
    found = page(Node("main", children=[table(count), Node("link", "L", url="/l")]))
    shown = axchoice.fit(found, axchoice.by_need(found), budget, length)
    assert all(found[at].up in shown for at in shown if at)
    assert sum(len(found[at].write()) + 1 for at in shown) <= budget or len(shown) <= 3
