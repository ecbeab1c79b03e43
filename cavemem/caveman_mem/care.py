"""Figures and checks of a memory for its owner. Reads; mends nothing."""

import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from caveman_engine.database import Database
from caveman_engine.errors import CavemanError

if TYPE_CHECKING:
    from caveman_mem.store import MemoryStore

_LARGE_LOG = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Stats:
    """What a memory holds. ``tokens``: of the current facts that were counted, by local count (inferred)."""

    facts: int
    current: int
    superseded: int
    expired: int
    pinned: int
    scopes: Mapping[str, int]
    tokens: int
    basis: str
    file_bytes: int
    copies: int
    copies_bytes: int


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the doctor: what was looked at, whether it is well, what was seen, and the one fix."""

    name: str
    ok: bool
    detail: str
    fix: str | None = None


def stats(store: "MemoryStore", now: int) -> Stats:
    """Count what is stored and what it takes."""
    copies = store.files.copies().stats()
    database = store.files.reading()
    if database is None:
        return Stats(0, 0, 0, 0, 0, {}, 0, "inferred", 0, copies.records, copies.physical_bytes)
    facts, superseded, expired, pinned, tokens = database.rows(
        """SELECT count(*), coalesce(sum(valid_until IS NOT NULL), 0),
            coalesce(sum(valid_until IS NULL AND expires_at <= ?1), 0), coalesce(sum(pinned), 0),
            coalesce(sum(tokens) FILTER (WHERE valid_until IS NULL AND coalesce(expires_at > ?1, 1)), 0)
        FROM memory""",
        (now,),
    )[0]
    scopes = dict(database.rows("SELECT scope, count(*) FROM memory GROUP BY scope ORDER BY scope"))
    return Stats(
        facts,
        facts - superseded - expired,
        superseded,
        expired,
        pinned,
        scopes,
        tokens,
        "inferred",
        database.physical_bytes(),
        copies.records,
        copies.physical_bytes,
    )


def doctor(store: "MemoryStore") -> list[Check]:
    """Look at the files, the index and a round trip. Every failed row names one fix."""
    checks = [_search_support()]
    try:
        database = store.files.reading()
    except CavemanError as error:
        checks.append(Check("file", ok=False, detail=f"{error.what} ({error.where})", fix=error.hint))
    else:
        if database is None:
            checks.append(
                Check("file", ok=True, detail=f"none yet; made by the first fact: {store.files.path}")
            )
        else:
            checks += _of_file(database)
    checks.append(_round_trip())
    return checks


def _search_support() -> Check:
    with (
        tempfile.TemporaryDirectory() as folder,
        Database.open(os.path.join(folder, "probe.db"), ()) as probe,
    ):
        version = probe.value("SELECT sqlite_version()")
        try:
            probe.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except CavemanError:
            return Check(
                "sqlite", ok=False, detail=f"SQLite {version} has no FTS5", fix="use another Python build"
            )
        return Check("sqlite", ok=True, detail=f"SQLite {version} with FTS5")


def _of_file(database: Database) -> Iterator[Check]:
    mode = stat.S_IMODE(os.stat(database.path).st_mode)
    private = os.name != "posix" or not mode & 0o077
    yield Check(
        "file",
        private,
        f"{database.path}, mode {mode:04o}",
        None if private else f"chmod 600 {database.path}",
    )
    faults = database.integrity()
    yield Check(
        "integrity", not faults, "; ".join(faults[:3]) or "sound", "restore a backup" if faults else None
    )
    yield _index(database)
    broken = database.value(
        """SELECT count(*) FROM memory AS a WHERE
            (superseded_by IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM memory AS b WHERE b.id = a.superseded_by AND b.supersedes = a.id))
            OR (supersedes IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM memory AS b WHERE b.id = a.supersedes AND b.superseded_by = a.id))"""
    )
    yield Check(
        "histories",
        not broken,
        f"{broken} facts name a version that is not there" if broken else "all hold together",
        "import the missing versions again" if broken else None,
    )
    log = database.path + "-wal"
    size = os.path.getsize(log) if os.path.exists(log) else 0
    yield Check(
        "journal",
        size < _LARGE_LOG,
        f"{size:,} bytes",
        "end the process that keeps reading" if size >= _LARGE_LOG else None,
    )


def _index(database: Database) -> Check:
    """Compare the index with the rows: every fact under its own scope, and the counts."""
    facts, counted = database.rows("SELECT (SELECT count(*) FROM memory), (SELECT facts FROM corpus)")[0]
    try:
        from caveman_mem.index import scope_facet

        scopes = [scope for (scope,) in database.rows("SELECT DISTINCT scope FROM memory")]
        indexed = sum(
            database.value(
                "SELECT count(*) FROM memory_index WHERE memory_index MATCH ?", (f'"{scope_facet(scope)}"',)
            )
            for scope in scopes
        )
    except CavemanError as error:
        return Check("index", ok=False, detail=error.what, fix="caveman mem reindex")
    ok = facts == counted == indexed
    detail = f"{indexed:,} of {facts:,} facts indexed, {counted or 0:,} counted"
    return Check("index", ok, detail, None if ok else "caveman mem reindex")


def _round_trip() -> Check:
    """Remember, recall and recover one fact in a store of its own."""
    from caveman_mem.store import MemoryStore

    text = "the doctor's round trip answers on port 7001"
    try:
        with tempfile.TemporaryDirectory() as home, MemoryStore.open(home) as probe:
            made = probe.remember(text, scope="doctor")
            hits = probe.recall("round trip port", scope="doctor").hits
            ok = [hit.id for hit in hits] == [made.id] and probe.recover(made.id) == text.encode()
    except CavemanError as error:
        return Check("round trip", ok=False, detail=error.what, fix=error.hint)
    return Check("round trip", ok, "remember, recall, recover", None if ok else "caveman mem reindex")
