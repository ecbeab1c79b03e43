"""Where the commands enter: what goes to the start-up path, and what goes on."""

import sys

import pytest

from caveman_app import main


@pytest.fixture
def entered(monkeypatch):
    """Note which way was taken instead of taking it."""
    import caveman_app.cli
    import caveman_mem.cli
    import caveman_mem.fast

    ways = []
    monkeypatch.setattr(caveman_app.cli, "run", lambda: ways.append("caveman"))
    monkeypatch.setattr(caveman_mem.cli, "main", lambda: ways.append("cavemem"))
    monkeypatch.setattr(
        caveman_mem.fast, "run", lambda arguments: ways.append(arguments) or (0 if "x" in arguments else None)
    )
    return ways


def enter(monkeypatch, function, *words):
    monkeypatch.setattr(sys, "argv", ["program", *words])
    monkeypatch.setattr(main.os, "_exit", sys.exit)
    try:
        function()
    except SystemExit as end:
        return end.code
    return "went on"


@pytest.mark.parametrize("words", [[], ["--help"], ["mem"], ["mem", "list"], ["tools", "mem"], ["doctor"]])
def test_every_other_command_goes_on(entered, monkeypatch, words):
    assert enter(monkeypatch, main.main, *words) == "went on"
    assert entered == ["caveman"]


@pytest.mark.parametrize("words", [["mem", "recall", "x"], ["tools", "mem", "remember", "x"]])
def test_plain_recall_and_remember_end_on_the_start_up_path(entered, monkeypatch, words):
    assert enter(monkeypatch, main.main, *words) == 0
    assert entered == [words[-2:]]


def test_what_the_start_up_path_does_not_know_goes_on(entered, monkeypatch):
    assert enter(monkeypatch, main.main, "mem", "recall", "--json") == "went on"
    assert entered == [["recall", "--json"], "caveman"]


def test_cavemem_is_caveman_mem(entered, monkeypatch):
    assert enter(monkeypatch, main.cavemem, "recall", "x") == 0
    assert enter(monkeypatch, main.cavemem, "list") == "went on"
    assert entered == [["recall", "x"], "cavemem"]
