"""References: each names its own element or is refused, never another one; also while a page changes at random."""

import random
import re

import pytest
from pytest_httpserver import HTTPServer

from caveman_browser import errors, view
from caveman_browser.errors import ReferenceTrouble
from caveman_browser.refs import RefMap
from caveman_browser.session import Session
from caveman_engine.recovery import RecoveryStore

PAGE = """<title>start</title><main id=m></main><script>
let made = 0
function make(name) {
  const b = document.createElement('button')
  b.dataset.id = ++made
  b.textContent = name
  return b
}
m.onclick = e => { document.title = 'id ' + e.target.dataset.id }
function renumber() { for (const b of m.children) b.dataset.id = ++made }
for (let i = 0; i < 20; i++) m.append(make('Row ' + i % 7))
</script>"""
CHANGES = (
    "m.insertBefore(make('Row {b}'), m.children[{a}])",
    "m.children[{a}].remove()",
    "m.insertBefore(m.children[{a}], m.children[{b}])",
    "m.children[{a}].textContent = 'Row {b}'",
    "m.children[{a}].replaceWith(make(m.children[{a}].textContent))",
    "window.c = m.children[{a}].cloneNode(true); c.dataset.id = ++made; m.children[{a}].replaceWith(c)",
    "m.append(...[...m.children].reverse())",
    "m.children[{a}].style.display = m.children[{a}].style.display ? '' : 'none'",
    "m.innerHTML += ''; renumber()",
)


def test_a_reference_stays_with_its_node_and_is_never_used_again(page_of, element):
    refs = RefMap()
    first = page_of(element("button", "A", 2), element("button", "B", 3))
    view.render(first, refs)
    again = page_of(element("button", "Z", 9), element("button", "B", 3))
    view.render(again, refs)
    assert refs.resolve("e2", again).backend == 3
    assert refs.known("e3").name == "Z"
    with pytest.raises(errors.StaleReference, match="no longer on the page"):
        refs.resolve("e1", again)


def test_a_new_document_makes_references_stale_even_with_the_same_numbers(page_of, element):
    refs = RefMap()
    view.render(page_of(element("button", "A", 2)), refs)
    with pytest.raises(errors.StaleReference, match="gone"):
        refs.resolve("e1", page_of(element("button", "A", 2), loader="L2"))


def test_a_reference_means_what_it_was_last_shown_as(page_of, element):
    refs = RefMap()
    view.render(page_of(element("button", "Play", 2)), refs)
    renamed = page_of(element("button", "Pause", 2))
    with pytest.raises(errors.StaleReference, match="is now"):
        refs.resolve("e1", renamed)
    view.render(renamed, refs)
    assert refs.resolve("e1", renamed).node.name == "Pause"


@pytest.mark.parametrize("ref", ["e2", "", "e", "x1", "[e7]"])
def test_a_reference_that_was_never_given_is_unknown(ref, page_of, element):
    refs = RefMap()
    view.render(page_of(element("button", "A", 2)), refs)
    with pytest.raises(errors.UnknownReference) as caught:
        refs.resolve(ref, page_of())
    assert caught.value.code == "cave_unknown_ref"


def test_a_reference_may_be_given_in_its_brackets(page_of, element):
    refs = RefMap()
    here = page_of(element("button", "A", 2))
    view.render(here, refs)
    assert refs.resolve(" [e1] ", here).session == "S"


@pytest.mark.slow
def test_a_hundred_random_changes_never_lead_a_reference_to_another_element():
    chance = random.Random(20)
    session = Session(store=RecoveryStore.in_memory(), allow=("click", "eval"), idle=0)
    owner, clicked, refused = {}, 0, 0
    with HTTPServer(threaded=True) as server:
        server.expect_request("/").respond_with_data(PAGE, content_type="text/html")
        try:
            page = session.snapshot(server.url_for("/"))
            for step in range(100):
                # A page that redraws itself whole is rarer than one that changes in places.
                change = CHANGES[8] if step % 33 == 32 else chance.choice(CHANGES[:8])
                numbers = {"a": chance.randrange(12), "b": chance.randrange(12)}
                ids = "[...m.children].map(b => b.style.display ? 0 : +b.dataset.id).filter(Boolean)"
                shown = session.evaluate(ids).data["value"]
                for ref, made in zip(re.findall(r"\[(e\d+)\] button", page.text), shown, strict=True):
                    assert owner.setdefault(ref, made) == made
                session.evaluate(
                    change.replace("{a}", str(numbers["a"])).replace("{b}", str(numbers["b"])) + "; 0"
                )
                ref = chance.choice(sorted(owner))
                try:
                    session.act(ref, "click", view=False)
                except ReferenceTrouble:
                    refused += 1
                else:
                    clicked += 1
                    assert session.evaluate("document.title").data["value"] == f"id {owner[ref]}"
                page = session.snapshot()
        finally:
            session.close()
    assert clicked >= 20
    assert refused >= 10
