"""The start-up path: it says what the long way says, and loads next to nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from caveman_mem import MemoryStore, fast

LONG = "the valve code is 7. " + "lorem ipsum dolor sit amet " * 900


@pytest.fixture
def both(run, home):
    """Run a form by the start-up path and by the long way; give both finished processes."""
    code = "import sys; from caveman_mem import cli; from caveman_engine import console; console.run(cli.app, prog='cavemem')"

    def both(*words):
        long = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, timeout=60)
        return run(*words), long

    return both


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["recall"],
        ["list"],
        ["recall", "x", "--json"],
        ["remember", "-"],
        ["remember", "--stdin"],
        ["--help"],
        ["recall", "-n", "3", "x"],
    ],
)
def test_other_forms_are_left_to_the_long_way_before_anything_is_done(home, arguments):
    assert fast.run(arguments) is None
    assert not home.exists()


def test_where_settings_are_the_long_way_is_taken(home, monkeypatch):
    home.mkdir()
    (home / "config.toml").write_text("[mem]\nsecrets = 'mask'\n")
    assert fast.run(["remember", "x"]) is None
    (home / "config.toml").unlink()
    monkeypatch.setenv("CAVEMAN_SECRETS", "mask")
    assert fast.run(["remember", "x"]) is None


FORMS = [
    ["recall", "teal"],
    ["recall", "what", "is", "the", "lamp?"],
    ["recall", "what is teal AND (red"],
    ["recall", "quantum"],
    ["recall", "???"],
    ["recall", " "],
    ["recall", "réunion"],
    ["recall", "valve", "code"],
    ["recall", "tap"],
    ["recall", "\udcff"],
    ["remember", "the", "lamp", "is", "teal"],
    ["remember", " "],
    ["remember", "key AKIA" + "Q" * 16],
    ["remember", "x" * 70_000],
    ["remember", "[mem_0123456789abcdef · 2026-01-01]"],
    ["remember", "\udcff"],
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", FORMS, ids=lambda words: " ".join(words)[:30].encode("ascii", "replace").decode()
)
def test_both_ways_print_the_same(both, home, words):
    with MemoryStore.open(counting=False) as store:
        for text in (
            "the lamp is teal",
            "la réunion est à neuf heures",
            "red lamp",
            LONG,
            "the valve is blue",
        ):
            store.remember(text, tags=["a", "b c"] if "teal" in text else [])
        for i in range(8):
            store.remember(f"tap {i} " + "word " * 500)
        store.remember("x" * 70_000)
    quick, long = both(*words)
    assert (quick.stdout, quick.stderr, quick.returncode) == (long.stdout, long.stderr, long.returncode)
    assert b"Traceback" not in quick.stderr


@pytest.mark.parametrize(
    "words", [["recall", "lamp"], ["recall", "zirconium"], ["remember", "a", "new", "fact"]]
)
def test_the_start_up_path_loads_no_command_line_library(home, words):
    with MemoryStore.open() as store:
        store.remember("the lamp is teal")
    code = (
        "import sys, os; from caveman_app.main import cavemem; end, os._exit = os._exit, sys.exit\n"
        f"sys.argv = ['cavemem', *{words!r}]\n"
        "try:\n    cavemem()\nexcept SystemExit as end:\n    assert not end.code\n"
        "os.write(2, ' '.join(sys.modules).encode())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "typer",
        "click",
        "rich",
        "dataclasses",
        "pathlib",
        "re",
        "json",
        "argparse",
        "typing",
        "inspect",
        "enum",
        "tomllib",
    }
    assert heavy & set(done.stderr.split()) == set()


def test_an_index_that_needs_mending_goes_the_long_way(run, home):
    with MemoryStore.open() as store:
        store.remember("the lamp is teal")
        store.files.reading().execute("DELETE FROM memory_index_data")
    done = run("recall", "lamp")
    assert done.returncode == 0
    assert b"the lamp is teal" in done.stdout


@pytest.mark.slow
def test_mem_34_nothing_lies_in_the_package(run, home):
    import caveman_mem

    run("remember", "x")
    folder = Path(caveman_mem.__file__).parent
    assert not [path for path in folder.rglob("*") if path.suffix in (".db", ".sqlite", ".json", ".jsonl")]
    assert os.path.exists(home / "mem" / "mem.db")


def test_a_journal_that_a_remember_leaves_is_found_by_the_next_and_does_not_grow(run, home):
    for i in range(30):
        assert run("remember", f"fact {i}").returncode == 0
    assert run("recall", "fact 29").stdout.startswith(b"[mem_")
    journal = home / "mem" / "mem.db-wal"
    assert not journal.exists() or journal.stat().st_size < 300 * 4120
    with MemoryStore.open() as store:
        assert len(store.list()) == 30


def test_a_reader_who_has_gone_is_no_traceback(run, home):
    with MemoryStore.open() as store:
        store.remember("the lamp is teal")
    program = Path(sys.executable).parent / "cavemem"
    done = subprocess.run(
        f"{program} recall lamp 2>err | true; cat err", shell=True, capture_output=True, timeout=60
    )
    assert b"Traceback" not in done.stdout
