"""Type-checked, not run: the faces give the types that their readers rely on."""

from typing import assert_type

from caveman_browser import Launch, Reply, Session
from caveman_engine import Engine, RecoveryStore, Result
from caveman_mem import Memory, MemoryStore, Recall


def engine() -> None:
    """Use the engine as its documentation shows."""
    store = RecoveryStore.open()
    box = Engine(store=store)
    result = box.compress(b"...", kind=None, query="what failed", max_tokens=500)
    assert_type(result, Result)
    assert_type(result.output, bytes)
    assert_type(result.recovery_handle, str | None)
    assert_type(box.retrieve("ccr_…"), bytes)
    assert_type(box.detect("..."), list[tuple[str, float]])


def memory() -> None:
    """Use the memory as its documentation shows."""
    with MemoryStore.open() as store:
        fact = store.remember("the cache answers on port 7001", tags=["infra"])
        assert_type(fact, Memory)
        found = store.recall("cache port", limit=3, budget=500, since="yesterday")
        assert_type(found, Recall)
        assert_type(found.hits[0].recovery_handle, str | None)
        assert_type(found.omitted, tuple[str, ...])
        assert_type(store.recover(fact.id), bytes)


def browser() -> None:
    """Use the browser as its documentation shows."""
    session = Session(allow=["click"], launch=Launch(profile="work"))
    page = session.snapshot("https://shop.example/orders", "INV-1137")
    assert_type(page, Reply)
    assert_type(page.text, str)
    assert_type(page.handle, str | None)
    assert_type(session.act("e1", "click"), Reply)
    assert_type(session.recover(page.handle), bytes)
