"""The index: in step with the rows, and mended when something outside damaged it."""

import pytest

from caveman_mem import MemoryStore, index


def counts(store):
    return dict(store.files.rows("SELECT term, facts FROM term"))


def test_terms_hold_text_tags_and_facets_and_the_length_is_of_the_text():
    terms, length = index.terms_of("orders fail", "p", ["a b"])
    assert terms.split(" ") == ["orders", "~order", "fail", "a", "b", "@70", "#612062"]
    assert length == 2


def test_what_comes_and_goes_leaves_the_counts_as_they_were(store):
    store.remember("the lamp is teal")
    before = counts(store), store.files.rows("SELECT facts, length FROM corpus")
    memory = store.remember("the port is 7001", tags=["x"])
    store.edit(memory.id, tags=["y"])
    store.forget(memory.id)
    assert (counts(store), store.files.rows("SELECT facts, length FROM corpus")) == before


DAMAGE = {
    "the index is emptied": ["DELETE FROM memory_index_data"],
    "the index is gone": ["DROP TABLE memory_index"],
    "the counts are gone": ["DELETE FROM term"],
    "all of it is gone": [
        "DELETE FROM memory_index_config",
        "DELETE FROM memory_index_idx",
        "DELETE FROM memory_index_data",
        "DELETE FROM term",
        "UPDATE corpus SET facts = 0",
    ],
}


@pytest.mark.parametrize("statements", DAMAGE.values(), ids=DAMAGE)
def test_mem_35_a_spoilt_index_is_made_anew_and_no_row_is_lost(store, statements):
    for i in range(50):
        store.remember(f"note {i} about t{i}")
    for statement in statements:
        store.files.reading().execute(statement)
    store.close()
    with MemoryStore.open() as again:
        assert [hit.text for hit in again.recall("t7").hits] == ["note 7 about t7"]
        assert len(again.list()) == 50
        assert all(check.ok for check in again.doctor())


def test_reindex_counts_tokens_where_that_was_not_done(home):
    with MemoryStore.open(counting=False) as store:
        store.remember("the lamp is teal")
        assert store.list()[0].tokens is None
        before = counts(store)
        assert store.reindex() == 1
        assert store.list()[0].tokens == 4
        assert counts(store) == before


def test_a_sound_index_is_not_made_anew_because_nothing_was_found(store, monkeypatch):
    store.remember("the lamp is teal")
    monkeypatch.setattr(index, "rebuild", lambda _: pytest.fail("rebuilt"))
    assert store.recall("zirconium").hits == []
