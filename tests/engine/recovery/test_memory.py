import pytest

from caveman_engine.recovery.memory import MemoryShelf
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.store import RecoveryStore


def test_an_exception_puts_everything_back():
    shelf = MemoryShelf()
    store = RecoveryStore(shelf, 1000)
    handle = store.put(Record(), b"abc")
    store.put_object("TestResult", b"x")
    before = store.stats()
    with pytest.raises(KeyError), shelf.writing():  # noqa: PT012 - what fails is the end of the block
        shelf.remove_original(handle)
        shelf.add_used(-3)
        raise KeyError
    assert store.stats() == before
    assert store.get(handle) == b"abc"


def test_a_buffer_that_changes_later_does_not_change_what_is_stored():
    store = RecoveryStore.in_memory()
    original = bytearray(b"abc")
    handle = store.put(Record(), original)
    original[0] = 0
    assert store.get(handle) == b"abc"
