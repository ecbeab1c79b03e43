"""What is said once, and what is never dropped."""

from caveman_engine.axnode import Node
from caveman_engine.axtidy import tidy


def text(words):
    return Node("text", words)


def tidied(node):
    tidy(node)
    return [(each.role, each.name) for each in node.walk()]


def test_two_elements_with_the_same_words_both_stay():
    page = Node("page", children=[Node("button", "Saved"), Node("status", children=[text("Saved")])])
    assert tidied(page)[1:] == [("button", "Saved"), ("status", ""), ("text", "Saved")]


def test_other_words_than_the_name_stay():
    assert tidied(Node("button", "A", children=[text("B")])) == [("button", "A"), ("text", "B")]


def test_a_name_made_of_the_content_is_said_once():
    inside = [text("Pay "), Node("image", ""), text("now")]
    assert tidied(Node("button", "Pay now", children=inside)) == [("button", "Pay now")]


def test_a_link_in_a_heading_keeps_the_words():
    heading = Node("heading", "News", children=[Node("link", "News", url="/n")])
    assert tidied(heading) == [("heading", ""), ("link", "News")]


def test_a_label_is_said_by_its_control():
    form = Node("form", children=[Node("label", children=[text("Mail"), Node("textbox", "Mail")])])
    assert tidied(form) == [("form", ""), ("textbox", "Mail")]


def test_a_label_with_more_to_say_keeps_it():
    form = Node(
        "form",
        children=[Node("label", children=[text("I agree to"), Node("link", "terms")]), Node("checkbox", "x")],
    )
    assert tidied(form)[1:] == [("text", "I agree to"), ("link", "terms"), ("checkbox", "x")]


def test_the_value_of_a_field_is_said_once():
    assert tidied(Node("textbox", "N", "old", children=[text("old")])) == [("textbox", "N")]


def test_empty_text_goes():
    assert tidied(Node("page", children=[text("  "), None, text(" a "), None])) == [
        ("page", ""),
        ("text", "a"),
    ]
