"""What an action changed, as told of pages that were made by hand: no Chrome."""

from caveman_browser.changes import changes
from caveman_browser.refs import RefMap
from caveman_engine import tokens
from caveman_engine.axnode import Node


def text(words, backend=0):
    return Node("text", words, frame="F", backend=backend)


def changed(before, after):
    return changes(before, after, RefMap()).splitlines()


def test_nothing_changed_is_nothing(page_of, element):
    assert (
        changed(page_of(element("textbox", "A", 2)), page_of(element("textbox", "A", 2, states=["focused"])))
        == []
    )


def test_what_came_went_and_reads_otherwise_is_told(page_of, element):
    before = page_of(element("checkbox", "Gift", 2), text("0", 3), None, element("button", "Old", 4))
    link = element("link", "New", 6, url="/n")
    after = page_of(element("checkbox", "Gift", 2, states=["checked"]), text("1", 5), None, link)
    assert changed(before, after) == [
        '- button "Old"',
        '~ [e1] checkbox "Gift" {checked}',
        '~ "0" -> "1"',
        '+ [e2] link "New" /n',
    ]


def test_a_changed_title_is_told(page_of):
    after = page_of()
    after.tree.root.name = "t2"
    assert changed(page_of(), after) == ['~ page "Title" -> page "t2"']


def test_many_changes_stay_within_their_bound(page_of, element):
    after = page_of(*[element("button", f"B{i}", i + 2) for i in range(400)])
    said = changes(page_of(), after, RefMap())
    assert tokens.count(said) <= 300
    assert "more changes" in said


def test_changes_of_a_huge_page_are_found_without_order(page_of, element):
    before = page_of(*[element("link", f"a{i}", i + 2, url="/") for i in range(2500)])
    after = page_of(*[element("link", f"b{i}", i + 9000, url="/") for i in range(2500)])
    assert "more changes" in changes(before, after, RefMap())


def test_another_document_is_shown_by_its_first_lines(page_of, element):
    said = changed(page_of(element("button", "One", 2)), page_of(element("button", "Two", 2), loader="L2"))
    assert said == ['page "Title"', '[e1] button "Two"']
