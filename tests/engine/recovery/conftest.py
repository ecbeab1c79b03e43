import itertools

import pytest

from caveman_engine.recovery.memory import MemoryShelf
from caveman_engine.recovery.sqlite import SqliteShelf
from caveman_engine.recovery.store import RecoveryStore


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CAVEMAN_HOME", str(tmp_path / "home"))
    for name in ("CAVEMAN_CCR_DB", "CAVEMAN_CCR_MAX_BYTES", "CAVEMAN_EPHEMERAL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def clock():
    """Give a clock that goes a second on at each look."""
    ticks = itertools.count(1_800_000_000_000_000_000, 10**9)
    return lambda: next(ticks)


@pytest.fixture(params=["sqlite", "memory"])
def kind(request):
    return request.param


@pytest.fixture
def shelf(kind, tmp_path):
    made = MemoryShelf() if kind == "memory" else SqliteShelf(str(tmp_path / "ccr.db"))
    yield made
    made.close()


@pytest.fixture
def store(shelf, clock):
    return RecoveryStore(shelf, 50_000_000, clock=clock)
