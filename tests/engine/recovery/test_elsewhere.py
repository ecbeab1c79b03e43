import os

import pytest

from caveman_engine import home
from caveman_engine.errors import UnknownHandle
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.store import RecoveryStore


@pytest.fixture
def both():
    with RecoveryStore.open() as engine, RecoveryStore.open(home.memory_ccr_path()) as memory:
        yield engine, memory


def hint(store, ref):
    with pytest.raises(UnknownHandle) as caught:
        store.get(ref)
    return caught.value.hint


def test_a_handle_of_the_memory_is_unknown_to_the_engine_which_names_the_command(both):
    engine, memory = both
    handle = memory.put(Record(), b"a fact")
    assert f"caveman mem recover {handle}" in hint(engine, handle)
    assert engine.stats().records == 0


def test_a_handle_of_the_engine_is_unknown_to_the_memory_and_so_is_an_object(both):
    engine, memory = both
    handle = engine.put(Record(), b"a log")
    made = engine.put_object("TestResult", b"x")
    assert f"caveman tools retrieve {handle}" in hint(memory, f"ccr:{handle}")
    assert f"caveman tools retrieve {made.object_id}" in hint(memory, made.object_id)
    assert f"caveman tools retrieve {handle}" in hint(RecoveryStore.in_memory(), handle)


def test_a_handle_that_is_nowhere_gives_what_to_check(both, home):
    assert "copied whole" in hint(both[0], "ccr_" + "0" * 32)
    assert not home.exists(), "asking makes no store"


def test_another_store_that_cannot_be_read_is_no_trouble(both, home):
    os.makedirs(home / "mem" / "ccr.db")
    assert "copied whole" in hint(both[0], "ccr_" + "0" * 32)
