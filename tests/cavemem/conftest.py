"""Fixtures of the memory's tests: a store in a folder of its own, a clock to turn, the command as a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from caveman_mem import MemoryStore

T0 = 1_772_600_000_000_000_000  # 2026-03-04 04:53:20 UTC
HOUR = 3_600_000_000_000


class Clock:
    """Nanoseconds that move by one at each look, so that arrival has an order."""

    def __init__(self):
        self.now = T0

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty CAVEMAN_HOME, and a working directory that is no project."""
    folder = tmp_path / "home"
    monkeypatch.setenv("CAVEMAN_HOME", str(folder))
    for name in ("CAVEMAN_SCOPE", "CAVEMAN_SECRETS", "CAVEMAN_CCR_DB", "CAVEMAN_CCR_MAX_BYTES"):
        monkeypatch.delenv(name, raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return folder


@pytest.fixture
def store(home, clock):
    with MemoryStore.open(clock=clock) as opened:
        yield opened


@pytest.fixture
def texts(store):
    """Recall, and give the texts of the hits."""
    return lambda query, **filters: [hit.text for hit in store.recall(query, **filters).hits]


@pytest.fixture
def run(home):
    """Run cavemem as a process in the fixture's home; give the finished process, streams as bytes."""
    program = Path(sys.executable).parent / "cavemem"

    def run(*words, stdin=b"", env=None):
        variables = {**os.environ, "NO_COLOR": "1", **(env or {})}
        return subprocess.run([program, *words], input=stdin, capture_output=True, timeout=60, env=variables)

    return run


@pytest.fixture
def everything(home):
    """Give all bytes of all files below the home."""
    return lambda: b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
