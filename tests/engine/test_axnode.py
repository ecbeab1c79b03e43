"""The shape of a node: what can be acted on, the order of a walk, the words below."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.axnode import CONTROLS, INTERACTIVE, Node


def text(words):
    return Node("text", words)


TREES = st.recursive(
    st.one_of(st.none(), st.builds(text, st.text("ab \n\t", max_size=6))),
    lambda inner: st.lists(inner, max_size=4).map(lambda found: Node("group", children=found)),
    max_leaves=30,
).map(lambda found: Node("page", children=[found]))


@pytest.mark.parametrize("role", ["heading", "row", "text", "image", "page", ""])
def test_what_is_only_read_is_not_interactive(role):
    assert not Node(role).is_interactive


@pytest.mark.parametrize("role", sorted(INTERACTIVE))
def test_every_role_that_a_person_acts_on_is_interactive(role):
    assert Node(role).is_interactive


def test_an_element_of_any_role_that_reacts_to_clicks_is_interactive():
    assert Node("row", clicks=True).is_interactive


def test_every_control_can_be_acted_on():
    assert CONTROLS <= INTERACTIVE


def test_two_nodes_share_no_list():
    Node("a").children.append(Node("b"))
    Node("a").states.append("x")
    assert (Node("a").children, Node("a").states) == ([], [])


def test_a_node_without_children_has_no_text_even_if_it_has_a_name():
    assert Node("button", "Go").text() == ""


def test_text_joins_inline_neighbours_and_parts_blocks():
    page = Node(
        "page", children=[text("a"), text("b"), None, Node("group", children=[text("c ")]), text(" d")]
    )
    assert page.text() == "ab c d"


def test_a_walk_is_in_the_pages_order_and_begins_with_the_node():
    page = Node("page", children=[Node("a", children=[Node("b"), None, Node("c")]), None, Node("d")])
    assert [node.role for node in page.walk()] == ["page", "a", "b", "c", "d"]


def test_a_walk_of_a_deep_tree_needs_no_stack():
    top = Node("page")
    for _ in range(20_000):
        top = Node("group", children=[top])
    assert sum(1 for _ in top.walk()) == 20_001


@given(TREES)
def test_the_text_has_every_letter_below_in_order_and_single_spaces(tree):
    letters = "".join(node.name for node in tree.walk() if node.role == "text")
    said = tree.text()
    assert "".join(said.split()) == "".join(letters.split())
    assert said == " ".join(said.split())
