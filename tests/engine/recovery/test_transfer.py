import io
import json
import os
import stat
import zipfile
from dataclasses import replace

import pytest

from caveman_engine.errors import BudgetExceeded, CorruptRecord, UnknownHandle, UsageError
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.store import RecoveryStore

RECORD = Record(content_type="log", compressor="log", metadata={"q": "é"}, view_id="v1")


@pytest.fixture
def packed(store):
    """Give a store with two views and an object on one record, and its export."""
    handle = store.put(RECORD, b"original \xff\x00" * 1000)
    store.put(replace(RECORD, view_id="v2"), b"original \xff\x00" * 1000)
    store.pin(handle)
    made = store.put_object(
        "TestResult", b"original \xff\x00" * 1000, session_id="s", data={"n": 1}, dependencies=[handle]
    )
    file = io.BytesIO()
    assert store.export([made.object_id, f"<<ccr:{handle}>>"], file) == [handle]
    return store, handle, made, file


def rewritten(file, change):
    """Give the export with one entry changed: ``change(name, data) -> data``."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, change(info.filename, old.read(info)))
    out.seek(0)
    return out


def test_a_record_comes_over_with_all_that_stands_on_it(packed):
    store, handle, made, file = packed
    other = RecoveryStore.in_memory()
    assert other.import_(file) == [handle]
    assert other.get(handle) == store.get(handle)
    assert [replace(view, seen_at=0) for view in other.views(handle)] == [
        replace(view, seen_at=0) for view in store.views(handle)
    ]
    assert other.get_object(made.object_id) == made
    assert other.metadata(handle).pinned
    assert other.verify().problems == ()
    assert other.import_(file) == [handle], "a second time changes nothing"
    assert (other.stats().records, other.stats().objects) == (1, 1)


def test_what_a_removed_record_was_can_be_brought_back(packed):
    store, handle, made, file = packed
    store.rm(handle)
    store.import_(file)
    assert store.get_object(made.object_id) == made


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_an_export_file_is_private_and_never_overwrites(packed, tmp_path):
    store, handle, _, _ = packed
    path = str(tmp_path / "out.zip")
    store.export([handle], path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with pytest.raises(UsageError):
        store.export([handle], path)
    assert RecoveryStore.in_memory().import_(path) == [handle]


def test_an_unknown_record_leaves_no_file(store, tmp_path):
    with pytest.raises(UnknownHandle):
        store.export(["ccr_" + "0" * 32], str(tmp_path / "out.zip"))
    assert not (tmp_path / "out.zip").exists()


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 broken"])
def test_what_is_no_export_is_refused(data, tmp_path):
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(UsageError, match="no export"):
        RecoveryStore.in_memory().import_(str(tmp_path / "x.zip"))
    with pytest.raises(UsageError, match="cannot read"):
        RecoveryStore.in_memory().import_(str(tmp_path / "missing.zip"))


def test_a_changed_original_or_object_is_not_believed(packed):
    _, handle, _, file = packed

    def forged(name, data):
        return b"something else" if name.endswith("original") else data

    def renamed(name, data):
        if not name.endswith("record.json"):
            return data
        rows = json.loads(data)
        rows["objects"][0]["session_id"] = "another"
        return json.dumps(rows)

    for change in (forged, renamed):
        other = RecoveryStore.in_memory()
        with pytest.raises(CorruptRecord):
            other.import_(rewritten(file, change))
        with pytest.raises(UnknownHandle):
            other.get(handle)


@pytest.mark.parametrize(
    "change", [{"format": "other/9"}, {"views": [{"a": 1}]}, {"views": 7}, {"objects": [{}]}]
)
def test_rows_of_another_form_are_refused(packed, change):
    _, _, _, file = packed

    def edit(name, data):
        return json.dumps(json.loads(data) | change) if name.endswith("record.json") else data

    with pytest.raises(UsageError):
        RecoveryStore.in_memory().import_(rewritten(file, edit))


def test_an_original_beyond_the_budget_is_refused_before_it_is_unpacked(packed):
    _, _, _, file = packed
    with pytest.raises(UsageError, match="store holds"):
        RecoveryStore.in_memory(100).import_(file)
    file = io.BytesIO()
    store = RecoveryStore.in_memory()
    store.export([store.put(RECORD, os.urandom(90))], file)
    full = RecoveryStore.in_memory(100)
    full.put(RECORD, b"x" * 20)
    with pytest.raises(BudgetExceeded):
        full.import_(file)
