"""Figures and checks for the owner."""

import os

import pytest

from caveman_engine.errors import CavemanError
from caveman_mem import MemoryStore


def rows(store):
    return {check.name: check for check in store.doctor()}


def test_an_empty_home_is_well_and_stays_empty(store, home):
    assert all(check.ok for check in store.doctor())
    assert store.stats().facts == 0
    assert not home.exists()


def test_stats_count_what_is_there(store, clock):
    a = store.remember("red", scope="p")
    store.supersede(a.id, "green")
    store.edit(store.remember("blue").id, pinned=True, expires="2026-03-04T05:00:00Z")
    clock.now += 3_600_000_000_000
    found = store.stats()
    assert (found.facts, found.current, found.superseded, found.expired, found.pinned) == (3, 1, 1, 1, 1)
    assert found.scopes == {"global": 1, "p": 2}
    assert found.tokens == 1
    assert found.basis == "inferred"
    assert found.file_bytes > 0


def test_the_doctor_of_a_used_memory_is_content(store):
    store.supersede(store.remember("red").id, "green")
    assert all(check.ok and check.fix is None for check in store.doctor())
    assert {"sqlite", "file", "integrity", "index", "histories", "journal", "round trip"} == set(rows(store))


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("DELETE FROM memory_index_data", "index"),
        ("UPDATE corpus SET facts = 7", "index"),
        ("UPDATE memory SET superseded_by = 'mem_0000000000000000'", "histories"),
    ],
)
def test_the_doctor_finds_damage_and_names_one_fix(store, damage, name):
    store.remember("red")
    store.files.reading().execute(damage)
    store.close()
    check = rows(store)[name]
    assert not check.ok
    assert check.fix


def test_mem_09_a_damaged_file_is_an_error_that_names_it_and_never_no_memory(store, home):
    store.remember("x marks the spot")
    store.close()
    path = home / "mem" / "mem.db"
    data = path.read_bytes()
    path.write_bytes(bytes(100) + data[100:])
    with MemoryStore.open() as again, pytest.raises(CavemanError) as caught:
        again.recall("x")
    assert str(path) in str(caught.value)
    assert caught.value.exit_status != 0
    assert not rows(MemoryStore.open())["file"].ok


def test_a_backup_is_a_memory_of_its_own(store, tmp_path):
    store.remember("the lamp is teal")
    (tmp_path / "copy" / "mem").mkdir(parents=True)
    path = tmp_path / "copy" / "mem" / "mem.db"
    store.backup(str(path))
    with MemoryStore.open(str(tmp_path / "copy")) as copy:
        assert [hit.text for hit in copy.recall("lamp").hits] == ["the lamp is teal"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CavemanError):
        store.backup(str(path))
