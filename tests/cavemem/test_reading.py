"""Reading makes no file and changes none."""

import pytest

from caveman_mem import MemoryStore


@pytest.fixture
def state(home):
    return lambda: {
        path: path.read_bytes() for path in home.rglob("*") if path.is_file() and path.suffix == ".db"
    }


def test_reading_an_empty_home_makes_nothing(store, home):
    assert store.recall("x").hits == []
    assert store.list() == []
    assert not home.exists()


def test_a_recall_writes_nothing(home, state):
    with MemoryStore.open() as store:
        store.remember("the lamp is teal")
    before = state()
    with MemoryStore.open() as store:
        store.recall("lamp", explain=True)
        store.recall("zirconium")
        store.list()
    assert state() == before


def test_a_passage_is_the_one_thing_that_is_kept(home, state):
    with MemoryStore.open() as store:
        store.remember("the valve code is 7. " + "lorem ipsum " * 2000)
        before = state()
        handle = store.recall("valve", budget=200).hits[0].recovery_handle
    after = state()
    assert {path.name for path in after.keys() - before.keys()} == {"ccr.db"}
    with MemoryStore.open() as store:
        assert store.recover(handle).startswith(b"the valve code is 7.")


def test_mem_53_what_was_remembered_is_found_at_once_by_the_next(home):
    with MemoryStore.open() as store:
        store.remember("the lamp is teal")
        assert store.recall("teal").hits
    with MemoryStore.open() as store:
        assert store.recall("teal").hits
