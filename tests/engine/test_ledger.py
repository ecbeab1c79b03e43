import os

import pytest

from caveman_engine import ledger
from caveman_engine.ledger import Event


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CAVEMAN_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CAVEMAN_EPHEMERAL", raising=False)
    return tmp_path / "home"


def test_a_missing_ledger_reads_as_zeros_and_is_not_made(home):
    assert ledger.totals().events == 0
    assert not home.exists()


def test_views_pass_throughs_and_recoveries_are_told_apart():
    ledger.record(Event("compress", content_type="log", tokens_in=1000, tokens_out=100, handle="ccr_a"))
    ledger.record(Event("compress", content_type="log", tokens_in=500, tokens_out=50, handle="ccr_b"))
    ledger.record(Event("compress", content_type="json", tokens_in=40, tokens_out=40, reason="too_small"))
    ledger.record(Event("retrieve", handle="ccr_a"))
    ledger.record(Event("retrieve", handle="ccr_a"))
    totals = ledger.totals()
    assert (totals.events, totals.inputs, totals.views, totals.retrieves) == (5, 3, 2, 2)
    assert (totals.tokens_before, totals.tokens_after) == (1540, 190)
    assert totals.by_reason == {"too_small": 1}
    log = totals.by_type[0]
    assert (log.content_type, log.inputs, log.views, log.recovered) == ("log", 2, 2, 1)


def test_a_session_is_summed_up_apart():
    ledger.record(Event("compress", source="mcp", session="s1", tokens_in=10))
    ledger.record(Event("compress", tokens_in=5))
    assert ledger.totals("s1").tokens_before == 10
    assert ledger.totals().tokens_before == 15
    assert ledger.totals().by_source == {"compress (cli)": 1, "compress (mcp)": 1}


def test_an_empty_store_has_zero_sums_for_an_unknown_session():
    ledger.record(Event("compress"))
    assert ledger.totals("nobody").tokens_before == 0


def test_a_ledger_that_cannot_be_written_loses_the_row_only(home):
    home.mkdir(mode=0o700)
    os.mkfifo(home / "ledger.db")
    ledger.record(Event("compress"))


def test_ephemeral_runs_leave_no_trace(home, monkeypatch):
    monkeypatch.setenv("CAVEMAN_EPHEMERAL", "1")
    ledger.record(Event("compress"))
    assert not home.exists()
