import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time

import pytest

from caveman_engine import database
from caveman_engine.database import Database
from caveman_engine.errors import (
    CorruptRecord,
    NewerSchema,
    RecoveryUnavailable,
    StoreBusy,
    StoreTrouble,
    UnsafeStore,
)

POSIX = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")


def first(db):
    db.script("CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT) STRICT;\n-- done\n")


def second(db):
    db.execute("ALTER TABLE fact ADD COLUMN tag TEXT")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "sub" / "a.db")


def test_reading_a_missing_file_gives_none_and_makes_nothing(path, tmp_path):
    assert Database.open_read(path, [first]) is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_written_is_read_by_another_connection(path):
    with Database.open(path, [first]) as db:
        assert db.insert("INSERT INTO fact (text) VALUES (?)", ("a",)) == 1
        with Database.open_read(path, [first]) as reader:
            assert reader.rows("SELECT * FROM fact") == [(1, "a")]
            assert reader.row("SELECT * FROM fact WHERE id = 9") is None
            assert reader.value("SELECT count(*) FROM fact") == 1


@POSIX
def test_file_folder_and_sidecars_are_private(path):
    before = os.umask(0)
    try:
        with Database.open(path, [first]) as db:
            db.execute("INSERT INTO fact (text) VALUES ('a')")
            for end in ("", "-wal", "-shm"):
                assert stat.S_IMODE(os.stat(path + end).st_mode) == 0o600
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


@POSIX
@pytest.mark.parametrize("opener", [Database.open, Database.open_read])
def test_an_unsafe_path_is_refused_by_both_ways_in(tmp_path, opener):
    (tmp_path / "a.db").symlink_to(tmp_path / "b.db")
    with pytest.raises(UnsafeStore):
        opener(str(tmp_path / "a.db"), [first])
    assert not (tmp_path / "b.db").exists()


def test_writing_through_a_reader_is_refused(path):
    Database.open(path, [first]).close()
    with Database.open_read(path, [first]) as reader, pytest.raises(StoreTrouble, match="readonly"):
        reader.execute("INSERT INTO fact (text) VALUES ('a')")


def test_names_that_mean_something_in_a_uri_are_names(tmp_path):
    path = str(tmp_path / "a?mode=memory#%41 ü.db")
    Database.open(path, [first]).close()
    assert os.path.exists(path)
    with Database.open_read(path, [first]) as reader:
        assert reader.value("SELECT count(*) FROM fact") == 0


def test_missing_migrations_are_run_by_a_writer_and_by_a_reader(path):
    Database.open(path, [first]).close()
    with Database.open_read(path, [first, second]) as reader:
        assert reader.rows("SELECT tag FROM fact") == []
    with Database.open(path, [first, second]) as db:
        assert db.value("PRAGMA user_version") == 2


def test_a_migration_that_fails_leaves_the_old_schema(path):
    def broken(db):
        db.execute("ALTER TABLE fact ADD COLUMN tag TEXT")
        db.execute("CREATE TABLE fact (x)")

    Database.open(path, [first]).close()
    with pytest.raises(StoreTrouble):
        Database.open(path, [first, broken])
    with Database.open(path, [first]) as db:
        assert [row[1] for row in db.rows("PRAGMA table_info(fact)")] == ["id", "text"]


def test_a_newer_schema_is_refused_and_left_alone(path):
    Database.open(path, [first, second]).close()
    for opener in (Database.open, Database.open_read):
        with pytest.raises(NewerSchema, match="schema 2, this version knows 1"):
            opener(path, [first])


def test_a_file_that_is_no_database_is_reported_not_overwritten(path):
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(b"not a database, but long enough to have a header " * 100)
    with pytest.raises(RecoveryUnavailable):
        Database.open_read(path, [first])
    with pytest.raises(CorruptRecord):
        Database.open(path, [first])
    with open(path, "rb") as file:
        assert file.read(8) == b"not a da"


def test_an_exception_rolls_back_and_a_nested_block_joins(path):
    with Database.open(path, [first]) as db:
        with pytest.raises(KeyError), db.transaction():  # noqa: PT012 - what fails is the end of the block
            db.execute("INSERT INTO fact (text) VALUES ('a')")
            with db.transaction():
                db.execute("INSERT INTO fact (text) VALUES ('b')")
            raise KeyError
        assert db.value("SELECT count(*) FROM fact") == 0
        with db.transaction():
            db.execute("INSERT INTO fact (text) VALUES ('c')")
        assert db.rows("SELECT text FROM fact") == [("c",)]


def test_a_writer_waits_for_another_and_then_says_busy(path):
    with Database.open(path, [first]) as holder:
        quick = Database.open(path, [first], busy_seconds=0.1)
        with holder.transaction():
            with pytest.raises(StoreBusy), quick.transaction():
                pass
            waited = []

            def write():
                with Database.open(path, [first]) as patient:
                    patient.execute("INSERT INTO fact (text) VALUES ('late')")
                    waited.append(True)

            thread = threading.Thread(target=write)
            thread.start()
            time.sleep(0.2)
            assert not waited
        thread.join()
        assert waited
        assert holder.value("SELECT count(*) FROM fact") == 1
        quick.close()


def test_readers_do_not_wait_for_a_writer(path):
    with Database.open(path, [first]) as holder, holder.transaction():
        holder.execute("INSERT INTO fact (text) VALUES ('a')")
        with Database.open_read(path, [first], busy_seconds=0.0) as reader:
            assert reader.value("SELECT count(*) FROM fact") == 0


def test_threads_share_one_connection(path):
    with Database.open(path, [first]) as db:

        def write():
            for _ in range(20):
                with db.transaction():
                    count = db.value("SELECT count(*) FROM fact")
                    db.execute("INSERT INTO fact (text) VALUES (?)", (str(count),))

        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert db.rows("SELECT DISTINCT count(*) FROM fact GROUP BY text") == [(1,)]
        assert db.value("SELECT count(*) FROM fact") == 160


@pytest.mark.slow
def test_sixteen_processes_may_open_a_new_file_at_once(path):
    child = (
        "import sys; from caveman_engine.database import Database\n"
        "def first(db): db.script('CREATE TABLE fact (text TEXT) STRICT;')\n"
        "with Database.open(sys.argv[1], [first]) as db: db.execute('INSERT INTO fact VALUES (?)', (sys.argv[2],))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", child, path, str(i)], stderr=subprocess.PIPE, text=True)
        for i in range(16)
    ]
    errors = [process.communicate()[1] for process in running]
    assert errors == [""] * 16
    with Database.open_read(path, [first]) as reader:
        assert reader.value("SELECT count(DISTINCT text) FROM fact") == 16


def test_commits_of_a_durable_store_are_on_the_disk(path):
    with Database.open(path, [first], durable=True) as db:
        assert db.value("PRAGMA synchronous") == 2
        assert db.value("PRAGMA journal_mode") == "wal"
        assert db.value("PRAGMA secure_delete") == 1


def test_a_deleted_text_is_in_no_file_after_the_checkpoint(path):
    with Database.open(path, [first]) as db:
        db.execute("INSERT INTO fact (text) VALUES ('sesame-4711')")
        db.execute("DELETE FROM fact")
        assert db.checkpoint()
        for end in ("", "-wal"):
            with open(path + end, "rb") as file:
                assert b"sesame-4711" not in file.read()


def test_a_reader_inside_a_transaction_holds_the_checkpoint_up(path):
    with Database.open(path, [first], busy_seconds=0.1) as db:
        reader = sqlite3.connect(path)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM fact").fetchall()
        db.execute("INSERT INTO fact (text) VALUES ('a')")
        assert not db.checkpoint()
        assert not db.checkpoint(wait=False)
        reader.close()
        assert db.checkpoint(wait=False)


def test_a_full_database_is_a_trouble_and_the_rows_stay(path):
    with Database.open(path, [first]) as db:
        db.execute("INSERT INTO fact (text) VALUES ('kept')")
        db.execute("PRAGMA max_page_count=20")
        with pytest.raises(StoreTrouble, match="disk is full"):
            db.execute("INSERT INTO fact (text) VALUES (?)", ("x" * 500_000,))
        assert db.rows("SELECT text FROM fact") == [("kept",)]
        assert db.integrity() == []


def test_a_damaged_page_shows_in_the_integrity_check(path):
    with Database.open(path, [first]) as db:
        db.executemany("INSERT INTO fact (text) VALUES (?)", [("x" * 3000,) for _ in range(50)])
        db.checkpoint()
    with open(path, "r+b") as file:
        file.seek(4096 * 5)
        file.write(b"\xff" * 4096)
    with Database.open_read(path, [first]) as reader:
        assert reader.integrity() != []


@POSIX
def test_a_backup_is_private_whole_and_never_overwrites(path, tmp_path):
    copy = str(tmp_path / "copy.db")
    with Database.open(path, [first]) as db:
        db.execute("INSERT INTO fact (text) VALUES ('a')")
        db.backup(copy)
        with pytest.raises(StoreTrouble):
            db.backup(copy)
    assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
    with Database.open_read(copy, [first]) as reader:
        assert reader.rows("SELECT text FROM fact") == [("a",)]


def test_vacuum_gives_space_back(path):
    with Database.open(path, [first]) as db:
        db.execute("INSERT INTO fact (text) VALUES (?)", ("x" * 2_000_000,))
        db.execute("DELETE FROM fact")
        before = db.physical_bytes()
        db.vacuum()
        assert db.physical_bytes() < before / 4


def test_an_old_sqlite_is_named(monkeypatch, path):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 31, 1))
    with pytest.raises(RecoveryUnavailable, match="too old"):
        Database.open(path, [first])


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to mount a file system"
)
def test_a_store_on_a_read_only_file_system_is_read_as_immutable(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "none", disk], capture_output=True
    ).returncode:
        pytest.skip("no right to mount here")
    try:
        with Database.open(str(disk / "a.db"), [first]) as db:
            db.execute("INSERT INTO fact (text) VALUES ('a')")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with Database.open_read(str(disk / "a.db"), [first]) as reader:
            assert reader.rows("SELECT text FROM fact") == [("a",)]
        with pytest.raises(StoreTrouble):
            Database.open(str(disk / "a.db"), [first])
    finally:
        subprocess.run(["umount", disk], check=True)


def test_the_start_up_path_loads_no_dear_module():
    code = (
        "import sys; before = set(sys.modules); import caveman_engine.database\n"
        "dear = {'dataclasses', 'pathlib', 'hashlib', 're', 'contextlib', 'inspect', 'json'} & (set(sys.modules) - before)\n"
        "print(sorted(dear))"
    )
    out = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() in ("[]", "['contextlib', 're']", "['re']"), (
        "the face above the module loads them, not it"
    )
    assert not any(name in database.__dict__ for name in ("dataclasses", "hashlib", "re", "contextlib"))
