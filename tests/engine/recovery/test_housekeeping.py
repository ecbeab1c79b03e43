from caveman_engine.recovery import housekeeping
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.shelf import Original


def test_a_dry_run_takes_nothing(store, shelf):
    handle = store.put(Record(metadata={"a": 1}), b"abc")
    assert housekeeping.take(shelf, [handle, handle], dry_run=True).freed_bytes == 11
    assert store.get(handle) == b"abc"


def test_a_sweep_goes_by_the_latest_put(store, shelf):
    first, second = store.put(Record(), b"1"), store.put(Record(), b"2")
    seen = shelf.original(second).seen_at
    assert housekeeping.sweep(shelf, seen) == [first]
    assert sorted(housekeeping.sweep(shelf, seen + 1)) == sorted([first, second])
    assert housekeeping.sweep(shelf, 0) == []


def test_lengths_that_are_not_those_recorded_are_a_fault(store, shelf):
    handle = store.put(Record(), b"abc")
    row = shelf.original(handle)
    with shelf.writing():
        shelf.write_original(Original(handle, row.sha256, "raw", 4, 3, row.created_at, row.seen_at), None)
    assert any("lengths" in problem for problem in store.verify().problems)


def test_a_counter_that_is_off_is_a_fault(store, shelf):
    store.put(Record(), b"abc")
    with shelf.writing():
        shelf.add_used(5)
    assert store.verify().problems == ("budget: the counter says 8 bytes, the rows 3",)


def test_a_record_that_another_process_removes_meanwhile_is_none(store, shelf):
    handle = store.put(Record(), b"abc")

    class Going:
        def __getattr__(self, name):
            return getattr(shelf, name)

        def chunks(self, asked, first=0, last=None):
            store.rm(asked)
            return []

    assert housekeeping.verify(Going()).problems == ()
    assert shelf.original(handle) is None
