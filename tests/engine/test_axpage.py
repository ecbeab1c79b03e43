"""Which line an element stands on. How the line is written is `test_axline`'s."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import axpage
from caveman_engine.axnode import Node


def text(words):
    return Node("text", words)


def node(role, *inside, **more):
    return Node(role, children=list(inside), **more)


def cells(*inside):
    return [node("cell", each) for each in inside]


def laid(*children):
    """Give each line as depth, kind, the role of its node, and the names of its parts."""
    return [
        (line.depth, line.kind, line.node.role, [part and (part.name or part.role) for part in line.parts])
        for line in axpage.lines(Node("page", "T", children=list(children)))
    ][1:]


def test_an_empty_page_is_its_own_line_and_no_other():
    (line,) = axpage.lines(Node("page", "T"))
    assert (line.depth, line.up, line.kind, line.node.name) == (0, -1, "node", "T")


def test_what_holds_nothing_and_says_nothing_has_no_line():
    assert laid(node("main"), node("table"), node("row"), node("listitem")) == []


def test_the_pages_own_content_is_not_set_in_and_a_landmarks_is():
    assert laid(node("main", node("heading", text("H")), node("navigation", Node("link", "L")))) == [
        (0, "node", "main", []),
        (1, "node", "heading", ["H"]),
        (1, "node", "navigation", []),
        (2, "node", "link", []),
    ]


def test_text_and_the_links_in_it_are_one_line():
    assert laid(text("read"), Node("link", "terms"), text("first")) == [
        (0, "run", "text", ["read", "terms", "first"])
    ]


def test_a_boundary_ends_the_line():
    assert laid(text("one"), None, text("two")) == [(0, "run", "text", ["one"]), (0, "run", "text", ["two"])]


@pytest.mark.parametrize("count, lines", [(axpage.RUN_BUTTONS, 1), (axpage.RUN_BUTTONS + 1, 4)])
def test_many_buttons_beside_text_are_a_tool_bar(count, lines):
    assert len(laid(text("edit"), *(Node("button", f"B{i}") for i in range(count)))) == lines


def test_links_without_text_stand_each_on_its_own_line():
    assert [line[1] for line in laid(Node("link", "a"), Node("link", "b"))] == ["node", "node"]


def test_a_control_never_stands_in_a_run():
    assert laid(text("Mail"), Node("textbox"), text("required")) == [
        (0, "run", "text", ["Mail"]),
        (0, "node", "textbox", []),
        (0, "run", "text", ["required"]),
    ]


def test_a_row_is_one_line_with_its_cells_apart():
    assert laid(node("row", *cells(text("a"), Node("button", "Go")))) == [
        (0, "row", "row", ["a", None, "Go"])
    ]


def test_column_heads_are_their_tables_beginning_and_its_rows_stand_beside_them():
    heads = node("row", node("columnheader", text("No")), node("columnheader", text("Who")))
    assert [line[:3] for line in laid(node("table", heads, node("row", *cells(text("1"), text("2")))))] == [
        (0, "columns", "row"),
        (0, "row", "row"),
    ]


def test_a_table_without_heads_says_that_it_begins():
    assert [line[:3] for line in laid(node("table", node("row", *cells(text("1")))))] == [
        (0, "node", "table"),
        (1, "row", "row"),
    ]


def test_a_table_of_empty_rows_has_no_line():
    assert laid(node("table", node("row", node("cell")))) == []


def test_a_table_that_lays_out_the_page_is_as_if_it_was_not_there():
    inner = node("table", node("row", node("columnheader", text("H"))), node("row", *cells(text("x"))))
    assert [line[1] for line in laid(node("row", node("cell", inner)))] == ["columns", "row"]


@pytest.mark.parametrize("length, kind", [(axpage.ROW_TEXT, "row"), (axpage.ROW_TEXT + 1, "node")])
def test_a_row_with_too_much_text_is_a_group(length, kind):
    assert laid(node("row", *cells(text("x" * length))))[0][1] == kind


@pytest.mark.parametrize("count, kind", [(axpage.ROW_PARTS, "row"), (axpage.ROW_PARTS + 1, "node")])
def test_a_row_with_too_many_parts_is_a_group(count, kind):
    assert laid(node("row", node("cell", *(text("x") for _ in range(count)))))[0][1] == kind


def test_a_clickable_cell_is_itself_a_part_of_its_row():
    assert laid(node("row", node("cell", text("a"), clicks=True))) == [(0, "row", "row", ["cell", "a"])]


def test_what_stands_in_a_row_without_a_cell_is_not_lost():
    group = node("group", Node("button", "Edit"), name="Actions")
    assert laid(node("row", node("cell", text("a")), group)) == [
        (0, "row", "row", ["a", None, "Actions", "Edit"])
    ]


def test_a_short_item_is_one_line_and_a_longer_one_begins_with_its_words():
    assert laid(node("listitem", text("a"), None, Node("link", "b"))) == [(0, "item", "listitem", ["a", "b"])]
    long = node("listitem", text("begins"), None, text("x" * axpage.ITEM_TEXT))
    assert laid(long) == [
        (0, "item", "listitem", ["begins"]),
        (1, "run", "text", ["x" * axpage.ITEM_TEXT]),
    ]


def test_a_list_in_an_item_stands_below_it():
    assert laid(node("listitem", text("outer"), node("listitem", text("inner")))) == [
        (0, "item", "listitem", ["outer"]),
        (1, "item", "listitem", ["inner"]),
    ]


@pytest.mark.parametrize("role", ["listitem", "row", "table"])
def test_an_element_that_reacts_to_clicks_has_a_line_though_it_is_empty(role):
    assert [line[2] for line in laid(node(role, clicks=True))] == [role]


ROLES = "main navigation group heading link button clickable listitem row cell columnheader table textbox image dialog"
LEAVES = st.one_of(
    st.none(),
    st.builds(text, st.sampled_from(["w", "word " * 60])),
    st.builds(Node, st.sampled_from(["button", "link", "textbox", "clickable"]), st.sampled_from(["", "N"])),
)


def grown(inside):
    return st.builds(
        lambda role, name, clicks, children: Node(role, name, clicks=clicks, children=children),
        st.sampled_from(ROLES.split()),
        st.sampled_from(["", "N"]),
        st.booleans(),
        st.lists(inside, max_size=5),
    )


PAGES = st.lists(st.recursive(LEAVES, grown, max_leaves=25), max_size=5).map(
    lambda found: Node("page", "T", children=found)
)


@given(PAGES)
def test_no_text_and_nothing_to_act_on_is_left_out_or_said_twice(page):
    shown = []
    for line in axpage.lines(page):
        shown += [part for part in line.parts if part is not None]
        if all(part is not line.node for part in line.parts):
            shown.append(line.node)
    ids = [id(each) for each in shown]
    wanted = [each for each in page.walk() if each.role == "text" or each.is_interactive]
    assert {id(each) for each in wanted} <= set(ids)
    assert len(ids) == len(set(ids))


@given(PAGES)
def test_every_line_stands_under_an_earlier_one_that_is_less_deep(page):
    found = axpage.lines(page)
    for at, line in enumerate(found[1:], 1):
        assert 0 <= line.up < at
        assert line.depth == 0 or found[line.up].depth < line.depth
