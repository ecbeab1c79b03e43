"""What only a file can do: be damaged, shared, killed, filled, made read-only, and come from an older version."""

import contextlib
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time

import pytest

from caveman_engine.database import Database
from caveman_engine.errors import (
    CavemanError,
    CorruptRecord,
    NewerSchema,
    RecoveryUnavailable,
    StoreTrouble,
    UnknownHandle,
    UnsafeStore,
)
from caveman_engine.recovery import sqlite
from caveman_engine.recovery.pointers import handle_of
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.sqlite import MIGRATIONS, SqliteShelf
from caveman_engine.recovery.store import RecoveryStore

RECORD = Record(
    content_type="log", compressor="log", tokens_before=9, tokens_after=3, view_bytes=5, metadata={"a": 1}
)
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "ccr.db")


@pytest.fixture
def store(path):
    with RecoveryStore.open(path) as made:
        yield made


@pytest.fixture
def filled(store):
    """Give a store with a raw and a compressed original, a view each, and an object."""
    store.put(RECORD, b"short")
    handle = store.put(RECORD, b"some long text " * 100_000)
    store.put_object(
        "TestResult",
        b"short",
        session_id="s",
        source="pytest",
        repository_state="abc",
        data={"n": 1},
        dependencies=[handle],
    )
    store.close()
    return store


def columns():
    made = sqlite3.connect(":memory:")
    for name in ("001_records.sql", "002_objects.sql"):
        made.executescript(sqlite._script(name))
    tables = [row[0] for row in made.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return [
        (table, row[1], row[2])
        for table in tables
        for row in made.execute(f"PRAGMA table_info({table})")
        # These order rows put in the same nanosecond, and nothing refers to them.
        if (table, row[1]) not in {("view", "id"), ("object", "id")}
    ]


def flipped(value):
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    return chr(ord(value[0]) ^ 1) + value[1:] if value else "x"


@pytest.mark.parametrize(("table", "column", "kind"), columns(), ids=str)
def test_a_flipped_byte_in_any_column_is_found_by_verify(filled, path, table, column, kind):
    assert filled.verify().problems == ()
    filled.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        key = "number" if table == "chunk" else "rowid"
        place, value = raw.execute(
            f"SELECT {key}, {column} FROM {table} ORDER BY {key} DESC LIMIT 1"
        ).fetchone()
        raw.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {key} = ?", (flipped(value), place))
    if column == "erasing":
        return  # it asks for one checkpoint more, and says nothing about any record
    assert filled.verify().problems != ()


def test_a_flipped_byte_of_the_file_never_gives_wrong_bytes_cmp_05(filled, path):
    originals = {handle_of(data): data for data in (b"short", b"some long text " * 100_000)}
    with open(path, "rb") as file:
        sound = file.read()
    chance = random.Random(7)
    for _ in range(150):
        damaged = bytearray(sound)
        damaged[chance.randrange(100, len(sound))] ^= 1 << chance.randrange(8)
        with open(path, "wb") as file:
            file.write(damaged)
        for handle, data in originals.items():
            with contextlib.suppress(CavemanError), RecoveryStore.open(path) as store:
                assert store.get(handle) == data


def test_one_bad_row_does_not_break_the_list_or_the_newest_decision(store, path):
    old = store.put_object("TaskDecision", b"one", session_id="s")
    bad = store.put_object("TaskDecision", b"two", session_id="s")
    store.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE object SET data = '{\"x\": 1}' WHERE object_id = ?", (bad.object_id,))
    assert store.newest("TaskDecision", session="s") == old
    assert store.objects() == [old]
    with pytest.raises(CorruptRecord):
        store.get_object(bad.object_id)
    assert [problem for problem in store.verify().problems if bad.object_id in problem]


def test_a_changed_view_is_refused_by_name_and_left_out_of_lists(store, path):
    handle = store.put(RECORD, b"abc")
    store.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE view SET metadata = '{}'")
    with pytest.raises(CorruptRecord):
        store.metadata(handle)
    assert [record.view_id for record in store.ls()] == [""]
    assert store.get(handle) == b"abc", "the original does not depend on it"


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_the_files_are_private(store, path):
    store.put(RECORD, b"abc")
    for end in ("", "-wal", "-shm"):
        assert stat.S_IMODE(os.stat(path + end).st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_an_unsafe_path_is_refused_before_anything_is_opened(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "other.db")
    with pytest.raises(UnsafeStore) as caught:
        RecoveryStore.open(str(tmp_path / "link.db"))
    assert caught.value.exit_status == 78
    assert not (tmp_path / "other.db").exists()


def test_reading_takes_no_lock_and_makes_no_file(store, path):
    handle = store.put(RECORD, b"abc")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with RecoveryStore.open(path) as reader:
        start = time.monotonic()
        assert reader.get(handle) == b"abc"
        assert reader.stats().records == 1
        assert reader.verify().problems == ()
        assert time.monotonic() - start < 2
    holder.close()


def test_a_busy_store_is_a_trouble_after_the_wait(path):
    RecoveryStore(SqliteShelf(path), 1000).put(RECORD, b"abc")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreTrouble, match="another process"):
        RecoveryStore(SqliteShelf(path, busy_seconds=0.1), 1000).put(RECORD, b"def")
    holder.close()


def test_a_file_that_is_no_store_is_unavailable_for_reading(path):
    with open(path, "wb") as file:
        file.write(b"something else entirely, but long enough " * 100)
    with pytest.raises(RecoveryUnavailable), RecoveryStore.open(path) as store:
        store.get("ccr_" + "0" * 32)
    with pytest.raises(StoreTrouble), RecoveryStore.open(path) as store:
        store.put(RECORD, b"x")


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_a_store_of_any_past_version_is_brought_up_with_its_records(path, version, monkeypatch):
    handle = "none"
    with monkeypatch.context() as past:
        past.setattr(sqlite, "MIGRATIONS", MIGRATIONS[:version])
        if version:
            shelf = SqliteShelf(path)
            handle = RecoveryStore(shelf, 10_000).put(RECORD, b"from the past")
            shelf.close()
        else:
            Database.open(path, ()).close()
    with RecoveryStore.open(path) as store:
        if version:
            assert store.get(handle) == b"from the past"
            assert store.metadata(handle).metadata == {"a": 1}
        assert store.objects() == []
        assert store.put_object("TestResult", b"x")
        assert store.verify().problems == ()


def test_a_newer_schema_is_refused_for_reading_and_writing(store, path):
    store.put(RECORD, b"abc")
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 99")
    for ask in (lambda: store.get(handle_of(b"abc")), lambda: store.put(RECORD, b"def")):
        with pytest.raises(NewerSchema) as caught:
            ask()
        assert caught.value.exit_status == 78


def test_removed_bytes_are_in_no_file(store, path):
    handle = store.put(Record(metadata={"note": "sesame-4711"}), b"open sesame-4712 " * 3)
    store.put_object("TestResult", b"open sesame-4712 " * 3, data={"note": "sesame-4713"})
    assert store.rm(handle).erased
    for end in ("", "-wal"):
        with open(path + end, "rb") as file:
            assert b"sesame-471" not in file.read()


def test_erasing_that_a_reader_holds_up_is_finished_by_the_next_write(path):
    store = RecoveryStore(SqliteShelf(path, busy_seconds=0.1), 10_000)
    handle = store.put(RECORD, b"sesame-4711")
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM original").fetchall()
    assert not store.rm(handle).erased
    reader.close()
    other = RecoveryStore(SqliteShelf(path), 10_000)
    other.put(RECORD, b"something else")
    for end in ("", "-wal"):
        with open(path + end, "rb") as file:
            assert b"sesame-4711" not in file.read()
    other.close()
    store.close()


def test_vacuum_shrinks_the_file(store, path):
    handle = store.put(RECORD, os.urandom(3_000_000))
    store.rm(handle)
    assert store.vacuum() > 2_000_000
    assert store.stats().physical_bytes < 500_000


@pytest.mark.slow
@FORK
def test_a_handle_that_was_given_survives_kill_9_at_any_moment(path):
    """Two hundred children write in a loop and are killed; each handle that they named must resolve."""
    RecoveryStore.open(path).put(RECORD, b"first")
    chance = random.Random(11)
    given = []
    for round_ in range(200):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                os.close(reading)
                shelf = SqliteShelf(path)
                fresh = RecoveryStore(shelf, 10**9)
                for i in range(1000):
                    original = b"%d %d " % (round_, i) * chance.choice((1, 500, 20_000))
                    os.write(
                        writing,
                        f"{fresh.put(RECORD, original)} {original[:12].split(b' ')[1].decode()}\n".encode(),
                    )
            os._exit(0)
        os.close(writing)
        time.sleep(chance.uniform(0.001, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(reading) as pipe:
            given += [
                line.split()[0] for line in pipe.read().splitlines() if line.endswith(tuple("0123456789"))
            ]
    assert len(given) > 50
    with RecoveryStore.open(path) as store:
        for handle in given:
            assert handle_of(store.get(handle)) == handle
        assert store.verify().problems == ()


@pytest.mark.slow
@FORK
def test_24_processes_put_100_each_while_one_sweeps_and_verifies_cmp_09(path):
    store = RecoveryStore.open(path)
    store.put(RECORD, b"first")
    store.close()

    def write(number):
        shelf = SqliteShelf(path, busy_seconds=60)
        mine = RecoveryStore(shelf, 10**9)
        handles = [mine.put(RECORD, b"%d %d " % (number, i) * (1 + i * 7 % 900)) for i in range(100)]
        return all(handle_of(mine.get(handle)) == handle for handle in handles)

    children = []
    for number in range(24):
        child = os.fork()
        if not child:
            status = 1
            with contextlib.suppress(BaseException):
                status = 0 if write(number) else 2
            os._exit(status)
        children.append(child)
    sweeps, statuses = 0, []
    with RecoveryStore.open(path) as owner:
        while children:
            owner.gc(3600)
            assert owner.verify().problems == ()
            sweeps += 1
            for child in list(children):
                done, status = os.waitpid(child, os.WNOHANG)
                if done:
                    children.remove(child)
                    statuses.append(os.waitstatus_to_exitcode(status))
        assert statuses == [0] * 24
        assert owner.stats().records == 2401
        assert owner.verify().problems == ()
    assert sweeps > 1


@FORK
def test_two_processes_never_both_pass_the_budget(path):
    RecoveryStore.open(path).put(RECORD, b"")
    children = []
    for number in range(8):
        child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                mine = RecoveryStore(SqliteShelf(path), 50_000)
                for i in range(20):
                    with contextlib.suppress(StoreTrouble):
                        mine.put(Record(), random.Random(number * 100 + i).randbytes(1000))
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    with RecoveryStore.open(path, 50_000) as store:
        assert 49_000 < store.stats().stored_bytes <= 50_000
        assert store.verify().problems == ()


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = (
        ROOT
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "none", disk], capture_output=True
        ).returncode
    )
    if not mounted:
        pytest.skip("no right to mount a small disk here")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_refuses_the_new_and_keeps_the_old(small_disk):
    with RecoveryStore.open(str(small_disk / "ccr.db")) as store:
        first = store.put(RECORD, os.urandom(200_000))
        with pytest.raises(StoreTrouble):
            store.put(RECORD, os.urandom(6_000_000))
        assert handle_of(store.get(first)) == first
        assert store.verify().problems == ()
        assert store.stats().records == 1
        store.put(RECORD, b"small ones still fit")


def test_a_store_made_read_only_after_opening_still_reads(small_disk):
    with RecoveryStore.open(str(small_disk / "ccr.db")) as store:
        handle = store.put(RECORD, b"abc")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with RecoveryStore.open(str(small_disk / "ccr.db")) as store:
        assert store.get(handle) == b"abc"
        with pytest.raises(StoreTrouble):
            store.put(RECORD, b"def")
        assert store.get(handle) == b"abc"


@FORK
def test_a_plain_user_whose_folder_is_read_only_still_reads_and_cannot_write(tmp_path):
    """cmp-01."""
    folder = tmp_path / "own"
    folder.mkdir(mode=0o700)
    with RecoveryStore.open(str(folder / "ccr.db")) as store:
        handle = store.put(RECORD, b"abc")
    if ROOT:
        for name in (folder, folder / "ccr.db"):
            os.chown(name, 65534, 65534)
        for parent in folder.parents[:4]:  # up to pytest's own folder, with or without workers
            parent.chmod(parent.stat().st_mode | 0o011)
    (folder / "ccr.db").chmod(0o400)
    folder.chmod(0o500)
    child = os.fork()
    if not child:
        status = 1
        with contextlib.suppress(BaseException):
            if ROOT:
                os.setuid(65534)
            mine = RecoveryStore.open(str(folder / "ccr.db"))
            assert mine.get(handle) == b"abc"
            try:
                mine.put(RECORD, b"def")
            except StoreTrouble:
                status = 0
        os._exit(status)
    try:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        folder.chmod(0o700)


def test_nothing_is_found_where_there_is_no_store(path):
    with RecoveryStore.open(path) as store, pytest.raises(UnknownHandle):
        store.get("ccr_" + "0" * 32)
    assert not os.path.exists(path)


@pytest.mark.parametrize(
    "hidden", [["sqlite3"], ["zstandard"], ["sqlite3", "_sqlite3", "zstandard", "compression"]]
)
def test_the_store_in_memory_works_without_sqlite_and_zstd(hidden):
    code = f"""
import sys
for name in {hidden!r}: sys.modules[name] = None
from caveman_engine import RecoveryStore
from caveman_engine.recovery import Record
import caveman_engine.recovery.originals, caveman_engine.recovery.selectors, caveman_engine.retrieve
store = RecoveryStore.in_memory()
handle = store.put(Record(), b"abc " * 5000)
assert store.get(handle) == b"abc " * 5000
assert not store.verify().problems
made = store.put_object("TestResult", b"x")
assert store.objects() == [made]
try: store.get("ccr_" + "0" * 32)
except Exception as error: print(error.code)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("cave_unknown_handle\n", "")
