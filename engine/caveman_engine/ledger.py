"""The ledger: one row for every compress, shrink and retrieve of the commands and the server.

Owns ``ledger.db`` and the figures that stats shows. Holds counts, codes and handles, never a payload, a query or
a command line. Recording never fails a command: a ledger that cannot be written loses the row, nothing else.
"""

import os
import time
from dataclasses import asdict, dataclass, field, fields

from caveman_engine.database import Database
from caveman_engine.errors import CavemanError
from caveman_engine.home import ephemeral, home

_SCHEMA = """
CREATE TABLE event(
  id           INTEGER PRIMARY KEY,
  at           INTEGER NOT NULL,            -- nanoseconds UTC
  kind         TEXT NOT NULL CHECK (kind IN ('compress', 'shrink', 'retrieve')),
  source       TEXT NOT NULL,               -- cli or mcp
  session      TEXT,                        -- of the server; null for commands
  content_type TEXT,
  tokens_in    INTEGER NOT NULL DEFAULT 0,  -- local counts, inferred
  tokens_out   INTEGER NOT NULL DEFAULT 0,  -- footer included
  bytes_in     INTEGER NOT NULL DEFAULT 0,
  bytes_out    INTEGER NOT NULL DEFAULT 0,
  reason       TEXT,                        -- why it passed through; null for a view
  handle       TEXT,
  exit_status  INTEGER                      -- of a wrapped command
) STRICT;
CREATE INDEX event_handle ON event(handle) WHERE handle IS NOT NULL;
"""


def _first(database: Database) -> None:
    database.script(_SCHEMA)


_MIGRATIONS = (_first,)
# A busy ledger must not be felt by the command that writes to it.
_BUSY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Event:
    """One row: ``kind`` is compress, shrink or retrieve, ``source`` cli or mcp. Tokens are local counts, inferred.

    ``reason`` says why the input passed through, None for a view. ``session`` is the server's, None for commands.
    """

    kind: str
    source: str = "cli"
    session: str | None = None
    content_type: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    reason: str | None = None
    handle: str | None = None
    exit_status: int | None = None


@dataclass(frozen=True, slots=True)
class TypeTotal:
    """What happened to one content type. ``recovered``: views of it whose original was asked for later."""

    content_type: str
    inputs: int
    views: int
    tokens_before: int
    tokens_after: int
    recovered: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the ledger, or over one session of it. Tokens are local counts, inferred."""

    events: int = 0
    inputs: int = 0
    views: int = 0
    retrieves: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    bytes_in: int = 0
    failed_commands: int = 0
    sessions: int = 0
    since: int | None = None
    by_type: list[TypeTotal] = field(default_factory=list)
    by_reason: dict[str, int] = field(default_factory=dict)
    by_source: dict[str, int] = field(default_factory=dict)
    by_day: list[tuple[str, int, int]] = field(default_factory=list)


def path() -> str:
    """Give the ledger's path; it need not exist."""
    return os.path.join(home(), "ledger.db")


def record(event: Event) -> None:
    """Add one row. Never raises for a ledger that cannot be written; writes nothing when runs are ephemeral."""
    if ephemeral():
        return
    row = {"at": time.time_ns(), **asdict(event)}
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    try:
        with Database.open(path(), _MIGRATIONS, busy_seconds=_BUSY_SECONDS) as database:
            database.execute(f"INSERT INTO event({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 - our own names
    except CavemanError:
        return


_TOTALS = """
SELECT count(*), coalesce(sum(kind <> 'retrieve'), 0), coalesce(sum(kind <> 'retrieve' AND reason IS NULL), 0),
       coalesce(sum(kind = 'retrieve'), 0),
       coalesce(sum(CASE WHEN kind <> 'retrieve' THEN tokens_in END), 0),
       coalesce(sum(CASE WHEN kind <> 'retrieve' THEN tokens_out END), 0),
       coalesce(sum(CASE WHEN kind <> 'retrieve' THEN bytes_in END), 0),
       coalesce(sum(coalesce(exit_status, 0) <> 0), 0), count(DISTINCT session), min(at)
FROM event WHERE (?1 IS NULL OR session = ?1)
"""
_BY_TYPE = """
SELECT coalesce(content_type, 'unknown'), count(*), sum(reason IS NULL), sum(tokens_in), sum(tokens_out),
       count(DISTINCT CASE WHEN reason IS NULL AND handle IN (SELECT handle FROM event WHERE kind = 'retrieve')
                      THEN handle END)
FROM event WHERE kind <> 'retrieve' AND (?1 IS NULL OR session = ?1)
GROUP BY 1 ORDER BY sum(tokens_in) - sum(tokens_out) DESC, 1
"""
_BY_REASON = """
SELECT reason, count(*) FROM event WHERE kind <> 'retrieve' AND reason IS NOT NULL AND (?1 IS NULL OR session = ?1)
GROUP BY 1 ORDER BY 2 DESC, 1
"""
_BY_SOURCE = """
SELECT kind || ' (' || source || ')', count(*) FROM event WHERE (?1 IS NULL OR session = ?1)
GROUP BY 1 ORDER BY 2 DESC, 1
"""
_BY_DAY = """
SELECT date(at / 1000000000, 'unixepoch', 'localtime'), sum(tokens_in), sum(tokens_out)
FROM event WHERE kind <> 'retrieve' AND (?1 IS NULL OR session = ?1) GROUP BY 1 ORDER BY 1
"""


def totals(session: str | None = None) -> Totals:
    """Sum up the ledger, or one session of the server. A missing ledger gives zeros.

    Raises:
        CavemanError: the ledger is there and cannot be read.
    """
    database = Database.open_read(path(), _MIGRATIONS)
    if database is None:
        return Totals()
    with database:
        only = (session,)
        (sums,) = database.rows(_TOTALS, only)
        names = [item.name for item in fields(Totals)]
        return Totals(
            **dict(zip(names, sums, strict=False)),
            by_type=[TypeTotal(*row) for row in database.rows(_BY_TYPE, only)],
            by_reason=dict(database.rows(_BY_REASON, only)),
            by_source=dict(database.rows(_BY_SOURCE, only)),
            by_day=[(day, before, after) for day, before, after in database.rows(_BY_DAY, only)],
        )
