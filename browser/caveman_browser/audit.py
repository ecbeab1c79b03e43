"""The log of writes: one JSON line for each attempt, granted or not. Never holds what was typed.

Owns ``browser-audit.jsonl``. The clock is passed in.
"""

import json
import os
from datetime import UTC, datetime

from caveman_browser import errors
from caveman_engine.home import home

FILE = "browser-audit.jsonl"


def path() -> str:
    """Give the log's path; it need not exist."""
    return os.path.join(home(), FILE)


def note(*, origin: str, verb: str, role: str, name: str, outcome: str, now: datetime | None = None) -> None:
    """Append one line. ``role`` and ``name`` are the element's; ``outcome`` is ``ok`` or an error's code.

    Raises `BrowserRefused` when it cannot be written: a write that leaves no trace does not happen.
    """
    line = {
        "time": (now or datetime.now(UTC)).isoformat(timespec="milliseconds"),
        "origin": origin,
        "verb": verb,
        "role": role,
        "name": name,
        "outcome": outcome,
    }
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.makedirs(home(), mode=0o700, exist_ok=True)
        descriptor = os.open(path(), flags, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write((json.dumps(line) + "\n").encode("ascii"))
    except OSError as trouble:
        raise errors.BrowserRefused(
            f"the audit log cannot be written: {trouble}", where=path(), hint="without it no write is done"
        ) from trouble
