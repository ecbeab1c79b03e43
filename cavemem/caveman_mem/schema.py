"""Where the memory lies and how its file comes up to date. Knows the numbered migrations; no queries."""

import os

from caveman_engine.database import Database
from caveman_engine.home import home as default_home


def folder(home: str | None = None) -> str:
    """Give the memory's folder: ``mem`` in ``home``, or in CAVEMAN_HOME, or in ~/.caveman."""
    return os.path.join(os.path.abspath(os.path.expanduser(home)) if home else default_home(), "mem")


def path(home: str | None = None) -> str:
    """Give the path of mem.db."""
    return os.path.join(folder(home), "mem.db")


def _memory(database: Database) -> None:
    script = os.path.join(os.path.dirname(__file__), "sql", "001_memory.sql")
    with open(script, encoding="utf-8") as file:
        database.script(file.read())


MIGRATIONS = (_memory,)
