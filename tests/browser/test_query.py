"""What a person may ask of a page."""

import pytest

from caveman_browser import query
from caveman_browser.errors import BadQuery
from caveman_engine import axchoice, axpage
from caveman_engine.axnode import Node


def text(words):
    return Node("text", words)


def orders():
    rows = [
        Node(
            "row",
            children=[
                Node("cell", children=[text(f"ORD-{i:04}")]),
                Node("cell", children=[text("Oslo, paid")]),
            ],
        )
        for i in range(1, 60)
    ]
    return axpage.lines(
        Node(
            "page",
            "Orders",
            children=[
                Node("heading", "All orders"),
                Node("button", "New order"),
                Node("link", "Terms", url="/terms"),
                Node("table", "Orders", children=rows),
                text("Grüße aus 東京"),
            ],
        )
    )


def ask(words):
    found = orders()
    texts = axchoice.searchable(found)
    return [texts[at].strip() for at in query.matches(query.parse(words), found, texts)]


@pytest.mark.parametrize("words", ["zebra", '"paid Oslo"', "/ORD-9{3}/", "role:slider", "role:button terms"])
def test_what_is_not_there_matches_nothing(words):
    assert ask(words) == []


def test_a_word_that_stands_once_gives_one_line():
    assert ask("ORD-0017") == ["row: ORD-0017 | Oslo, paid"]


def test_any_of_the_words_may_hold_and_the_rarest_come_first():
    assert ask("paid terms")[0] == 'link "Terms" /terms'


def test_a_part_of_a_word_is_better_than_nothing():
    assert len(ask("RD-001")) == 10


def test_a_phrase_stands_as_it_is_whatever_its_case():
    assert ask('"new order"') == ['button "New order"']


def test_a_pattern_is_a_regular_expression():
    assert ask("/ORD-00(17|18)/") == ["row: ORD-0017 | Oslo, paid", "row: ORD-0018 | Oslo, paid"]


def test_a_path_is_words_and_no_pattern():
    assert query.parse("/terms").words == "/terms"
    assert ask("/terms") == ['link "Terms" /terms']


def test_a_role_gives_its_elements_also_within_rows():
    assert ask("role:button") == ['button "New order"']
    assert len(ask("role:cell paid")) == 0 or len(ask("role:row paid")) == 59
    assert ask("role:heading orders") == ['heading "All orders"']


def test_words_of_any_script_are_found():
    assert ask("東京") == ['"Grüße aus 東京"']
    assert ask("grusse") == [] or ask("Grüße") == ['"Grüße aus 東京"']


def test_a_broken_pattern_is_a_clear_error():
    with pytest.raises(BadQuery, match="no regular expression"):
        query.parse("/(/")
