"""The start-up path: plain ``recall`` and ``remember`` without a command-line library.

Takes the forms that people and hooks type most, a verb and words, and gives everything else back to the caller,
who goes the long way. What it prints must equal what the long way prints: a test compares them. Measured: each of
dataclasses, pathlib, re, json or argparse costs about as much as the whole search.
"""

import os
import sys

from caveman_engine.errors import CavemanError
from caveman_engine.home import home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from caveman_engine.database import Database

LIMIT = 5
BUDGET = 2000
UNSEARCHABLE = "the query holds no searchable word"
_JOURNAL_PAGES = 100  # of 4 KiB: a reader has to look through them
_open: "list[Database]" = []


def run(arguments: "Sequence[str]") -> int | None:
    """Carry out ``recall WORD…`` or ``remember WORD…``; None for any other form, before anything was done."""
    if len(arguments) < 2 or any(word.startswith("-") for word in arguments[1:]) or _configured():
        return None
    verb = {"recall": recall, "remember": remember}.get(arguments[0])
    if verb is None:
        return None
    try:
        return verb(" ".join(arguments[1:]))
    except CavemanError as error:
        from caveman_engine.console import report

        report(error)
        return error.exit_status
    except BrokenPipeError:
        return 1
    finally:
        sys.stderr.flush()


def recall(query: str) -> int | None:
    """Print what `MemoryStore.recall` would; None where that takes a tokenizer, a passage or a repair."""
    from time import time_ns

    from caveman_engine.database import Database
    from caveman_engine.terms import query_terms
    from caveman_mem import schema
    from caveman_mem.hits import load, surely_fits, whole_reply
    from caveman_mem.index import sound
    from caveman_mem.scopes import GLOBAL, scope_here
    from caveman_mem.search import Filters, search

    if not query_terms(query):
        sys.stderr.write(UNSEARCHABLE + "\n")
        return 0
    database = Database.open_read(schema.path(), schema.MIGRATIONS)
    if database is None:
        return 0
    scope = scope_here()
    try:
        found, _ = search(database, query, Filters(time_ns(), [scope, GLOBAL]))
        if not found and not sound(database):
            return None
    except CavemanError:
        return None
    hits = load(database, found[:LIMIT])
    reply = whole_reply(hits, scope)
    if not surely_fits(hits, reply, BUDGET):
        return None
    _write(reply)
    return 0


def remember(text: str) -> int:
    """Store a fact and print its id, as the long way does.

    The file is not closed: the last one out moves the journal into it and syncs both, which takes longer than all
    else here. The next process finds the journal; every `_JOURNAL_PAGES` it is moved by a commit.
    """
    from caveman_engine.database import Database
    from caveman_mem import schema, writing
    from caveman_mem.scopes import scope_here

    scope = scope_here()
    writing.screen_beside((scope,), "refuse")
    draft = writing.Draft(writing.screened(text), scope)
    database = Database.open(schema.path(), schema.MIGRATIONS)
    _open.append(database)
    database.execute(f"PRAGMA wal_autocheckpoint = {_JOURNAL_PAGES}")
    with database.transaction():
        ((name, known),) = writing.add(database, [draft])
        erasing = database.value("SELECT erasing FROM corpus")
    if erasing:
        writing.erase(database)
    _write(remembered(name, known=known))
    return 0


def remembered(name: str, *, known: bool) -> str:
    """Say what became of a fact."""
    return f"{name} already known\n" if known else f"{name} remembered\n"


def _configured() -> bool:
    """Tell whether settings may change what these verbs do: then TOML has to be read."""
    if os.environ.get("CAVEMAN_SECRETS") or os.path.exists(os.path.join(home(), "config.toml")):
        return True
    folder = os.getcwd()
    while True:
        if os.path.exists(os.path.join(folder, ".caveman.toml")):
            return True
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return False
        folder = parent


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.flush()
