"""One suite for both shelves: what the store promises does not depend on where it keeps things."""

import threading
from dataclasses import replace

import pytest

from caveman_engine.errors import (
    InvalidPointer,
    ObjectTypeMismatch,
    SelectorMismatch,
    SelectorNotFound,
    UnknownHandle,
    UsageError,
)
from caveman_engine.recovery.objects import TYPES
from caveman_engine.recovery.pointers import handle_of
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.store import RecoveryStore

RECORD = Record(content_type="log", compressor="log", tokens_before=100, tokens_after=10, view_bytes=40)
BIG = b"".join(b"line %d of something long enough to be compressed\n" % i for i in range(60_000))


def test_an_empty_store_answers_and_finds_nothing(store, tmp_path):
    stats = store.stats()
    assert (stats.records, stats.objects, stats.stored_bytes, dict(stats.by_type), stats.full) == (
        0,
        0,
        0,
        {},
        False,
    )
    assert store.ls() == store.objects() == []
    assert store.verify().problems == ()
    assert store.gc(0).handles == ()
    assert store.vacuum() == 0
    assert store.newest("TaskDecision") is None
    for ask in (store.get, store.metadata, store.pin, store.rm, store.get_object):
        with pytest.raises(UnknownHandle):
            ask("ccr_" + "0" * 32)
    assert not (tmp_path / "ccr.db").exists(), "asking makes no file"


@pytest.mark.parametrize(
    "original", [b"", b"\0", b"\xff\xfe\x00", b"a\r\n", b"x" * 5000, BIG, bytes(range(256)) * 9000]
)
def test_any_bytes_come_back_exactly(store, original):
    handle = store.put(RECORD, original)
    assert handle == handle_of(original)
    assert store.get(handle) == original
    assert store.verify().problems == ()


@pytest.mark.parametrize("wrap", [bytearray, memoryview, lambda data: memoryview(data).cast("H")])
def test_any_buffer_may_be_put(store, wrap):
    assert store.get(store.put(RECORD, wrap(b"abcdefgh"))) == b"abcdefgh"


@pytest.mark.parametrize("form", ["{}", "ccr:{}", "ccr://{}", "<<ccr:{}>>", " {}\n"])
def test_every_form_resolves(store, form):
    handle = store.put(RECORD, b"x")
    assert store.get(form.format(handle)) == b"x"
    assert store.metadata(form.format(handle)).handle == handle


def test_the_metadata_of_a_view_comes_back(store):
    record = replace(RECORD, metadata={"refs": {"e1": 7}, "ü": [1.5, None]}, view_id="snap-1")
    handle = store.put(record, b"abc")
    found = store.metadata(handle)
    assert (
        replace(
            found, handle="", sha256="", codec="", original_bytes=0, stored_bytes=0, created_at=0, seen_at=0
        )
        == record
    )
    assert (found.original_bytes, found.stored_bytes, found.codec) == (3, 3, "raw")
    assert found.sha256.startswith(handle.removeprefix("ccr_"))


def test_two_views_of_one_original_keep_their_own_metadata(store):
    handle = store.put(replace(RECORD, metadata={"query": "a"}, view_id="v1"), b"abc")
    store.put(replace(RECORD, metadata={"query": "b"}, view_id="v2"), b"abc")
    assert store.metadata(handle, "v1").metadata == {"query": "a"}
    assert store.metadata(handle, "v2").metadata == {"query": "b"}
    assert store.metadata(handle).view_id == "v2", "the latest is given when none is named"
    assert [view.view_id for view in store.views(handle)] == ["v2", "v1"]
    assert store.stats().records == 1
    with pytest.raises(UnknownHandle):
        store.metadata(handle, "v3")


def test_the_same_view_again_changes_nothing_but_the_time_it_was_seen(store):
    handle = store.put(replace(RECORD, metadata={"a": 1}), b"abc")
    before, stats = store.metadata(handle), store.stats()
    assert store.put(replace(RECORD, metadata={"a": 1}), b"abc") == handle
    after = store.metadata(handle)
    assert after.seen_at > before.seen_at
    assert replace(after, seen_at=0) == replace(before, seen_at=0)
    assert store.stats() == replace(stats, physical_bytes=store.stats().physical_bytes)


def test_a_views_name_cannot_stand_for_two_views(store):
    handle = store.put(replace(RECORD, view_id="v"), b"abc")
    with pytest.raises(UsageError, match="another view"):
        store.put(replace(RECORD, view_id="v", tokens_after=11), b"abc")
    assert store.metadata(handle).tokens_after == 10


def test_stats_sum_up_views_by_type(store):
    store.put(RECORD, b"a" * 100)
    store.put(replace(RECORD, content_type="json"), b"b" * 50)
    store.put(replace(RECORD, tokens_after=20), b"a" * 100)
    stats = store.stats()
    assert (stats.records, stats.stored_bytes) == (2, 150)
    assert dict(stats.by_type) == {"json": (1, 100, 10), "log": (2, 200, 30)}


def test_parts_are_selected_by_pointer_and_by_name_tnj_26(store):
    handle = store.put(RECORD, b'{"a": [1.50, {"b": 2}]}')
    assert store.get(f"ccr://{handle}#/a/0") == store.get_slice(handle, "/a/0") == b"1.50"
    assert store.get(f"<<ccr:{handle}#/a/1>>") == b'{"b": 2}'
    lines = store.put(RECORD, b"1\n2\n3\n")
    assert store.get(f"ccr://{lines}#line=1,3") == b"2\n3\n"


def test_each_way_a_pointer_fails_has_its_own_error_tnj_26(store):
    handle = store.put(RECORD, b'{"a": 1}')
    for part, error in (
        ("#items//[", InvalidPointer),
        ("#/b", SelectorNotFound),
        ("#row=2", SelectorMismatch),
        ("?type=TestResult", ObjectTypeMismatch),
    ):
        with pytest.raises(error):
            store.get(f"ccr://{handle}{part}")


@pytest.mark.parametrize(
    ("start", "end"),
    [(0, 1), (0, 10), (1_048_575, 1_048_577), (1_048_576, 2_097_152), (2_000_000, 9_999_999)],
)
def test_byte_slices_cross_chunks(store, start, end):
    handle = store.put(RECORD, BIG)
    assert store.get(f"ccr://{handle}#byte={start},{end}") == BIG[start:end]


def test_a_slice_behind_the_end_is_not_found(store):
    handle = store.put(RECORD, b"abc")
    with pytest.raises(SelectorNotFound, match="3 bytes"):
        store.get(f"ccr://{handle}#byte=3,4")


def test_an_object_keeps_where_it_came_from(store):
    base = store.put(RECORD, b"base")
    made = store.put_object(
        "TestResult",
        b"1 failed",
        session_id="s1",
        source="pytest -q",
        repository_state="abc123",
        dependencies=[f"<<ccr:{base}>>"],
        data={"failed": 1},
    )
    assert (made.type, made.session_id, made.source, made.repository_state) == (
        "TestResult",
        "s1",
        "pytest -q",
        "abc123",
    )
    assert (made.currentness, made.lifecycle, made.dependencies, made.data) == (
        "current",
        "hot",
        (base,),
        {"failed": 1},
    )
    assert made.original_byte_length == made.stored_byte_length == 8
    assert made.content_hash.startswith(made.handle.removeprefix("ccr_"))
    assert store.get_object(f"ccr://{made.object_id}", "TestResult") == made
    assert store.get(made.object_id) == store.get(f"ccr://{made.object_id}?type=TestResult") == b"1 failed"
    assert store.get(f"ccr://{made.handle}?type=TestResult#byte=0,1") == b"1"
    assert store.get(f"ccr://{made.object_id}#byte=2,8") == b"failed"


def test_the_same_observation_again_is_the_one_that_is_there(store):
    made = store.put_object("CommandResult", b"x", session_id="s", data={"n": 1})
    store.set_currentness(made.object_id, "stale")
    again = store.put_object("CommandResult", b"x", session_id="s", data={"n": 2})
    assert again == replace(made, currentness="stale")
    assert store.put_object("CommandResult", b"x", session_id="t").object_id != made.object_id
    assert store.stats().objects == 2
    assert store.stats().records == 1


def test_a_wrong_type_is_a_mismatch_and_a_record_is_no_object(store):
    made = store.put_object("TestResult", b"x")
    for ask in (
        lambda: store.get_object(made.object_id, "BuildResult"),
        lambda: store.get(f"ccr://{made.object_id}?type=BuildResult"),
        lambda: store.get_object(made.handle),
    ):
        with pytest.raises(ObjectTypeMismatch):
            ask()


def test_bad_objects_are_refused_and_nothing_is_stored(store):
    for bad, error in (
        ({"type": "Note"}, UsageError),
        ({"type": "TestResult", "session_id": "a\0b"}, UsageError),
        ({"type": "TestResult", "data": {"a": object()}}, UsageError),
        ({"type": "TestResult", "lifecycle": "lukewarm"}, UsageError),
        ({"type": "TestResult", "dependencies": ["ccr_" + "0" * 32]}, UnknownHandle),
        ({"type": "TestResult", "dependencies": ["what"]}, InvalidPointer),
    ):
        with pytest.raises(error):
            store.put_object(content=b"x", **bad)
    assert store.stats().records == 0


@pytest.mark.parametrize("kind_of", TYPES)
def test_objects_of_every_type_are_listed_newest_first(store, kind_of):
    first = store.put_object(kind_of, b"1", session_id="s1")
    second = store.put_object(kind_of, b"2", session_id="s2")
    other = store.put_object(
        "TestResult" if kind_of != "TestResult" else "BuildResult", b"3", session_id="s1"
    )
    assert store.objects(type=kind_of) == [second, first]
    assert store.objects(session="s1") == [other, first]
    assert store.objects(session="s1", type=kind_of) == [first]
    assert store.objects() == [other, second, first]


def test_the_newest_decision_is_the_one_that_is_not_archived(store):
    old = store.put_object("TaskDecision", b"use tabs", session_id="s")
    new = store.put_object("TaskDecision", b"use spaces", session_id="s")
    assert store.newest("TaskDecision") == new
    assert store.newest("TaskDecision", session="t") is None
    store.set_currentness(new.object_id, "archived")
    assert store.newest("TaskDecision", session="s") == old


def test_states_change_only_along_the_tables(store):
    made = store.put_object("FileObservation", b"x")
    assert store.set_currentness(made.object_id, "stale").currentness == "stale"
    assert store.set_lifecycle(made.object_id, "warm").lifecycle == "warm"
    with pytest.raises(UsageError, match="cannot become"):
        store.set_lifecycle(store.put_object("FileObservation", b"y").object_id, "cold")
    assert replace(store.get_object(made.object_id), currentness="current", lifecycle="hot") == made
    assert store.verify().problems == ()


def test_records_are_listed_with_their_latest_view(store):
    first = store.put(RECORD, b"1")
    second = store.put(replace(RECORD, content_type="json"), b"2")
    store.put(replace(RECORD, content_type="text"), b"1")
    assert [(record.handle, record.content_type) for record in store.ls()] == [
        (first, "text"),
        (second, "json"),
    ]


def test_removing_takes_everything_of_a_record_or_nothing(store):
    handle = store.put(replace(RECORD, metadata={"a": 1}), b"abc")
    made = store.put_object("TestResult", b"abc", data={"b": 2})
    kept = store.put(RECORD, b"kept")
    with pytest.raises(UnknownHandle):
        store.rm(handle, "ccr_" + "0" * 32)
    assert store.get(handle) == b"abc"
    removed = store.rm(f"ccr:{handle}")
    assert (removed.handles, removed.objects, removed.freed_bytes, removed.erased) == (
        (handle,),
        (made.object_id,),
        19,
        True,
    )
    for ref in (handle, made.object_id):
        with pytest.raises(UnknownHandle):
            store.get(ref)
    assert store.get(kept) == b"kept"
    assert store.stats().stored_bytes == 4
    assert store.verify().problems == ()
    assert store.get(store.put(RECORD, b"abc")) == b"abc", "what was removed can be put again"


def test_removing_an_object_leaves_the_record_that_a_view_stands_on(store):
    handle = store.put(RECORD, b"abc")
    one = store.put_object("TestResult", b"abc", data={"n": 1})
    two = store.put_object("TestResult", b"alone")
    assert store.rm(one.object_id).handles == ()
    assert store.rm(two.object_id).handles == (two.handle,)
    assert store.get(handle) == b"abc"
    assert (store.stats().objects, store.stats().records, store.stats().stored_bytes) == (0, 1, 3)


def test_gc_takes_what_is_old_and_says_so(shelf):
    day, now = 86_400 * 10**9, [0]
    store = RecoveryStore(shelf, 10_000, clock=lambda: now[0])
    old, pinned, used = (store.put(RECORD, name) for name in (b"old", b"pinned", b"used"))
    store.pin(pinned)
    now[0] = 80 * day
    store.put(RECORD, b"used")
    new = store.put(RECORD, b"new")
    now[0] = 100 * day
    would = store.gc(90 * 86_400, dry_run=True)
    assert would.handles == (old,)
    assert store.get(old) == b"old"
    removed = store.gc(90 * 86_400)
    assert (removed.handles, removed.freed_bytes) == ((old,), 3)
    assert {record.handle for record in store.ls()} == {pinned, used, new}
    store.pin(pinned, pinned=False)
    assert store.gc(90 * 86_400).handles == (pinned,)


def test_gc_leaves_what_a_staying_object_depends_on(store):
    base = store.put(RECORD, b"base")
    middle = store.put_object("CommandResult", b"middle", dependencies=[base])
    bundle = store.put_object("EvidenceBundle", b"bundle", dependencies=[middle.object_id])
    store.pin(bundle.object_id)
    assert store.gc(0).handles == ()
    store.pin(bundle.object_id, pinned=False)
    assert set(store.gc(0).handles) == {base, middle.handle, bundle.handle}


def test_closing_may_be_done_in_a_with_block(store):
    with store as same:
        same.put(RECORD, b"x")


def test_threads_may_share_a_store(store):
    def write(number):
        for i in range(10):
            original = b"%d-%d" % (number, i % 5)
            assert store.get(store.put(RECORD, original)) == original

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.stats().records == 40
    assert store.verify().problems == ()


def test_without_a_path_the_environment_says_where(home, monkeypatch, tmp_path):
    with RecoveryStore.open() as store:
        assert not home.exists()
        handle = store.put(RECORD, b"x")
        assert store.where == str(home / "ccr.db")
    monkeypatch.setenv("CAVEMAN_CCR_DB", str(tmp_path / "named.db"))
    with RecoveryStore.open() as store, pytest.raises(UnknownHandle):
        store.get(handle)
    monkeypatch.setenv("CAVEMAN_EPHEMERAL", "1")
    with RecoveryStore.open() as store:
        assert store.get(store.put(RECORD, b"y")) == b"y"
        assert store.where == "in memory"
    assert not (tmp_path / "named.db").exists()


def test_the_budget_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("CAVEMAN_CCR_MAX_BYTES", "5K")
    assert RecoveryStore.open().max_bytes == RecoveryStore.in_memory().max_bytes == 5120
    assert RecoveryStore.in_memory(7).max_bytes == 7


def test_an_object_is_removed_from_memory_with_its_store(kind):
    if kind == "memory":
        store = RecoveryStore.in_memory()
        handle = store.put(RECORD, b"x")
        store.close()
        with pytest.raises(UnknownHandle):
            store.get(handle)
