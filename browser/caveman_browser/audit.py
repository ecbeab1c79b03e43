"""The log of writes: one JSON line for each attempt, refused ones too. Never holds what was typed.

Owns ``browser-audit.jsonl``. The clock is passed in.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from caveman_browser import errors
from caveman_engine.errors import CavemanError
from caveman_engine.home import home

FILE = "browser-audit.jsonl"


def path() -> str:
    """Give the log's path; it need not exist."""
    return os.path.join(home(), FILE)


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def entry(
    *, origin: str, verb: str, role: str, name: str, clock: Callable[[], datetime] = _now
) -> Iterator[None]:
    """Log what the block does to one element: ``ok``, or the code of the error that ends it.

    The log is opened before: raises `BrowserRefused` when it cannot be, and nothing was done.
    """
    descriptor = _open()
    outcome = "failed"
    try:
        yield
        outcome = "ok"
    except CavemanError as error:
        outcome = error.code
        raise
    finally:
        time = clock().isoformat(timespec="milliseconds")
        line = {"time": time, "origin": origin, "verb": verb, "role": role, "name": name, "outcome": outcome}
        with os.fdopen(descriptor, "wb") as file:
            file.write((json.dumps(line) + "\n").encode("ascii"))


def _open() -> int:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.makedirs(home(), mode=0o700, exist_ok=True)
        return os.open(path(), flags, 0o600)
    except OSError as trouble:
        raise errors.BrowserRefused(
            f"the audit log cannot be written: {trouble}", where=path(), hint="without it no write is done"
        ) from trouble
