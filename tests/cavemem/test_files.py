"""The two files under many processes: nothing acknowledged is lost, nobody waits for ever, no lock reaches a user."""

import os
import signal
import subprocess
import sys
import time

import pytest

from caveman_mem import MemoryStore

WRITER = """
import sys
from caveman_mem import MemoryStore
with MemoryStore.open(counting=False) as store:
    for i in range(int(sys.argv[2])):
        print(store.remember(f"p{sys.argv[1]} n{i}").id, flush=True)
"""
HOLDER = """
import sys, time
from caveman_engine.database import Database
from caveman_mem import schema
with Database.open(schema.path(), schema.MIGRATIONS) as database, database.transaction():
    print("held", flush=True)
    time.sleep(float(sys.argv[1]))
"""


def start(code, *words):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def hold(seconds):
    process = start(HOLDER, seconds)
    assert process.stdout.readline() == "held\n"
    return process


def test_files_are_private(store, home):
    store.remember("x")
    store.recall("x")
    if os.name == "posix":
        assert (home / "mem").stat().st_mode & 0o777 == 0o700
        assert all(path.stat().st_mode & 0o777 == 0o600 for path in (home / "mem").iterdir())


@pytest.mark.slow
def test_mem_25_eight_writers_lose_nothing_and_see_no_lock(home):
    writers = [start(WRITER, name, 50) for name in range(8)]
    results = [writer.communicate(timeout=60) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8
    assert not any("locked" in errors or errors for _, errors in results)
    with MemoryStore.open() as store:
        assert len(store.list()) == 400


@pytest.mark.slow
def test_mem_27_sixteen_first_starts_make_one_memory(run, home):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(lambda i: run("remember", f"t{i}"), range(16)))
    assert [result.returncode for result in done] == [0] * 16
    with MemoryStore.open() as store:
        assert len(store.list()) == 16


@pytest.mark.slow
def test_mem_27b_first_starts_of_reading_and_writing_verbs_do_not_disturb_each_other(run, home):
    from concurrent.futures import ThreadPoolExecutor

    verbs = [("list",)] * 8 + [("recall", "x")] * 4 + [("remember", f"t{i}") for i in range(4)]
    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(lambda verb: run(*verb), verbs))
    assert [result.returncode for result in done] == [0] * 16
    with MemoryStore.open() as store:
        assert sorted(memory.text for memory in store.list()) == ["t0", "t1", "t2", "t3"]


@pytest.mark.slow
def test_mem_28_what_was_acknowledged_survives_a_kill(home):
    for _ in range(4):
        writer = start(WRITER, time.time_ns(), 10_000)
        acknowledged = [writer.stdout.readline().strip() for _ in range(25)]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += [line for line in writer.stdout.read().split("\n") if len(line) == 20]
        writer.communicate()
        with MemoryStore.open() as store:
            store.remember("after crash")
            stored = {memory.id for memory in store.list()}
            assert set(acknowledged) <= stored
            assert "after crash" in [memory.text for memory in store.list()]
            assert all(check.ok for check in store.doctor())


@pytest.mark.slow
def test_mem_29_a_write_waits_for_a_lock(home, run):
    holder = hold(2)
    assert run("remember", "x").returncode == 0
    holder.communicate()
    with MemoryStore.open() as store:
        assert [memory.text for memory in store.list()] == ["x"]


@pytest.mark.slow
def test_mem_30_reading_takes_no_lock(home):
    with MemoryStore.open() as store:
        memory = store.remember("the lamp is teal")
    holder = hold(20)
    began = time.monotonic()
    with MemoryStore.open() as store:
        assert store.recall("lamp").hits
        assert store.list()
        assert store.history(memory.id)
    assert time.monotonic() - began < 5
    holder.kill()
    holder.communicate()


@pytest.mark.slow
def test_a_wait_for_a_lock_ends_in_a_clear_error(home, run):
    with MemoryStore.open() as store:
        store.remember("y")
    holder = hold(40)
    result = run("remember", "x")
    assert result.returncode == 1
    assert b"cave_store_busy" in result.stderr
    assert b"Traceback" not in result.stderr
    holder.kill()
    holder.communicate()


@pytest.mark.slow
def test_erasing_that_a_reader_prevents_is_finished_by_the_next_write(store, everything):
    from caveman_engine.database import Database
    from caveman_mem import schema

    memory = store.remember("the zirkonfeld code")
    for i in range(20):
        store.remember(f"filler {i}")
    reader = Database.open_read(schema.path(), schema.MIGRATIONS)
    with reader:
        cursor = reader._connection.execute("SELECT text FROM memory")
        cursor.fetchone()
        assert not store.forget(memory.id).erased
        cursor.close()
    store.remember("one more")
    assert b"zirkonfeld" not in everything()


def test_contended_supersede_and_forget_leave_one_history(home):
    with MemoryStore.open() as store:
        first = store.remember("v0").id
    code = """
import sys
from caveman_engine.errors import CavemanError
from caveman_mem import MemoryStore
with MemoryStore.open(counting=False) as store:
    for i in range(10):
        try:
            current = store.history(sys.argv[1])[-1].id
            store.supersede(current, f"v {sys.argv[2]} {i}")
        except CavemanError as error:
            assert error.code in ("cave_memory_not_current",), error
"""
    writers = [start(code, first, name) for name in range(4)]
    assert not any(writer.communicate(timeout=60)[1] for writer in writers)
    with MemoryStore.open() as store:
        versions = store.history(first)
        assert len(versions) == len(store.list(superseded=True)) > 10
        assert len(store.list()) == 1


def test_a_read_only_memory_can_be_read(store, home, tmp_path):
    import shutil

    store.remember("the lamp is teal")
    store.close()
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    for path in [*copy.rglob("*"), copy]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    with MemoryStore.open(str(copy)) as reading:
        assert [hit.text for hit in reading.recall("lamp").hits] == ["the lamp is teal"]
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o700)
