"""The order that nothing may break, the budget, and what is done about bytes that are not what they should be."""

import os
from dataclasses import replace

import pytest

from caveman_engine.errors import BudgetExceeded, CorruptRecord, HandleCollision, StoreTrouble
from caveman_engine.recovery import codec, pointers
from caveman_engine.recovery.originals import Originals
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.shelf import Original
from caveman_engine.recovery.store import RecoveryStore

RECORD = Record(content_type="log")


def test_the_largest_original_that_fits_is_stored(shelf):
    store = RecoveryStore(shelf, 1000)
    original = os.urandom(1000)
    assert store.get(store.put(RECORD, original)) == original


def test_one_byte_too_many_is_refused_and_leaves_nothing(shelf):
    store = RecoveryStore(shelf, 1000)
    with pytest.raises(BudgetExceeded) as caught:
        store.put(RECORD, os.urandom(1001))
    assert "CAVEMAN_CCR_MAX_BYTES" in caught.value.hint
    assert (store.stats().records, store.stats().stored_bytes) == (0, 0)


@pytest.mark.parametrize("size", [100, 10 * 1024, 600 * 1024])
def test_nearly_all_of_the_budget_is_usable_whatever_the_row_size(shelf, size):
    budget = size * 21 + size // 2 if size > 1000 else size * 300 + 50
    store = RecoveryStore(shelf, budget)
    handles = []
    with pytest.raises(BudgetExceeded):  # noqa: PT012 - which put is refused is the question
        while True:
            original = os.urandom(size)
            handles.append((store.put(RECORD, original), original))
    stats = store.stats()
    assert stats.stored_bytes >= 0.95 * budget
    assert stats.stored_bytes <= budget
    assert stats.full
    first, original = handles[0]
    assert store.get(first) == original, "cmp-08: nothing is evicted"
    assert store.put(RECORD, original) == first, "an identical put succeeds at a full store"
    store.rm(first)
    store.put(RECORD, os.urandom(size))


def test_metadata_counts_and_is_refused_when_it_does_not_fit(shelf):
    store = RecoveryStore(shelf, 100)
    handle = store.put(RECORD, b"x" * 80)
    with pytest.raises(BudgetExceeded):
        store.put(replace(RECORD, metadata={"a": "y" * 20}), b"x" * 80)
    assert len(store.views(handle)) == 1
    store.put(replace(RECORD, metadata={"a": 1}), b"x" * 80)
    assert store.stats().stored_bytes == 88
    with pytest.raises(BudgetExceeded):
        store.put_object("TestResult", b"x" * 80, data={"a": "y" * 20})
    assert store.stats().objects == 0


def test_another_original_under_the_same_handle_is_refused(shelf, monkeypatch):
    store = RecoveryStore(shelf, 10_000)
    monkeypatch.setattr(pointers, "handle_from", lambda digest: "ccr_" + "7" * 32)
    store.put(RECORD, b"one")
    with pytest.raises(HandleCollision):
        store.put(RECORD, b"two")
    assert store.get("ccr_" + "7" * 32) == b"one"


def damage(shelf, handle):
    """Replace the stored bytes by others of the same length."""
    row = shelf.original(handle)
    chunks = [codec.Chunk(chunk.sha256, bytes(len(chunk.body))) for chunk in shelf.chunks(handle)]
    with shelf.writing():
        shelf.write_original(row, chunks)


@pytest.mark.parametrize("original", [b"short", b"zstd " * 5000, os.urandom(3_000_000)])
def test_damaged_bytes_are_never_given_and_a_new_put_heals_them(shelf, original):
    store = RecoveryStore(shelf, 10_000_000)
    handle = store.put(RECORD, original)
    store.pin(handle)
    damage(shelf, handle)
    for ref in (handle, f"{handle}#byte=0,3", f"{handle}#line=0,1"):
        with pytest.raises(CorruptRecord):
            store.get(ref)
    assert any(handle in line for line in store.verify().problems)
    assert store.put(RECORD, original) == handle
    assert store.get(handle) == original
    assert store.metadata(handle).pinned
    assert store.verify().problems == ()


def test_a_missing_chunk_is_damage(shelf):
    store = RecoveryStore(shelf, 10_000_000)
    original = os.urandom(2_500_000)
    handle = store.put(RECORD, original)
    with shelf.writing():
        shelf.write_original(shelf.original(handle), list(shelf.chunks(handle))[:2])
    for ref in (handle, f"{handle}#byte=2200000,2200010"):
        with pytest.raises(CorruptRecord):
            store.get(ref)
    assert store.get(f"{handle}#byte=5,9") == original[5:9], "sound chunks still answer"


class Forgetful:
    """A shelf that loses what it was given, or fails at a named step."""

    def __init__(self, inner, step):
        self._inner, self._step = inner, step

    def __getattr__(self, name):
        if name == self._step:
            raise StoreTrouble(f"{name} failed")
        return getattr(self._inner, name)

    def chunks(self, handle, first=0, last=None):
        return [] if self._step == "lost" else self._inner.chunks(handle, first, last)


def test_no_handle_is_given_when_the_bytes_do_not_read_back(shelf):
    with pytest.raises(CorruptRecord):
        RecoveryStore(Forgetful(shelf, "lost"), 10_000).put(RECORD, b"abc")


@pytest.mark.parametrize("step", ["add_view", "write_original", "add_used"])
def test_a_failure_at_any_step_stores_nothing(shelf, step):
    with pytest.raises(StoreTrouble):
        RecoveryStore(Forgetful(shelf, step), 10_000).put(RECORD, b"abc")
    assert shelf.original(pointers.handle_of(b"abc")) is None
    assert shelf.balance() == (0, 0)


def test_a_record_that_another_process_removes_meanwhile_is_stored_again(shelf):
    store = RecoveryStore(shelf, 10_000)
    handle = store.put(RECORD, b"abc")

    class Racing(Forgetful):
        def writing(self):
            if self._inner.original(handle):
                store.rm(handle)
            return self._inner.writing()

    assert RecoveryStore(Racing(shelf, None), 10_000).put(RECORD, b"abc") == handle
    assert store.get(handle) == b"abc"
    assert store.verify().problems == ()


def test_the_lower_storey_stands_by_itself(shelf):
    originals = Originals(shelf, 100)
    assert originals.get(originals.put(RECORD, b"x")) == b"x"


def test_a_row_with_a_foreign_digest_never_answers(shelf):
    store = RecoveryStore(shelf, 10_000)
    handle = store.put(RECORD, b"abc")
    other = Original(handle, b"\0" * 32, "raw", 3, 3, 0, 0)
    with shelf.writing():
        shelf.write_original(other, None)
    with pytest.raises(CorruptRecord):
        store.get(handle)
    assert store.put(RECORD, b"abc") == handle
    assert store.get(handle) == b"abc"
