"""Hits and the bound that spares the tokenizer."""

import pytest

from caveman_engine import tokens
from caveman_mem.hits import surely_fits, whole_reply


@pytest.fixture
def hits(store):
    for text in ("the lamp is teal", "la réunion à neuf heures de la lampe lamp", "lamp 青柠"):
        store.remember(text, tags=["a b", "c"])
    return store.recall("lamp", limit=10).hits


def test_a_hit_shows_what_the_fact_is(hits):
    assert {hit.tags for hit in hits} == {("a b", "c")}
    assert all(hit.whole and hit.matched and hit.recovery_handle is None for hit in hits)
    assert repr(hits[0]).startswith("Hit(id='mem_")


def test_what_surely_fits_fits(hits):
    reply = whole_reply(hits, "global")
    for budget in range(1, 400):
        if surely_fits(hits, reply, budget):
            assert tokens.count(reply) <= budget
    assert surely_fits(hits, reply, 0)
    assert not surely_fits(hits, reply, 5)


def test_a_cut_hit_keeps_all_but_its_text(hits):
    part = hits[0].cut("the…", "ccr_x")
    assert (part.id, part.text, part.whole, part.recovery_handle) == (hits[0].id, "the…", False, "ccr_x")
    assert hits[0].whole
