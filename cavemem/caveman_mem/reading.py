"""The reading half of the memory: recall, list, history, recover. Takes no lock and makes no file.

The two exceptions are named where they are: a copy of what is shown in part, and an index that must be mended.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from time import time_ns
from typing import Self

from caveman_engine.errors import StoreTrouble, UsageError
from caveman_engine.terms import query_terms
from caveman_mem import changes, index, search, times
from caveman_mem.fast import UNSEARCHABLE
from caveman_mem.files import Files
from caveman_mem.hits import Hit, load
from caveman_mem.identity import is_id
from caveman_mem.memory import COLUMNS, Memory, Recall
from caveman_mem.packing import Look, Packing, TextLook
from caveman_mem.scopes import GLOBAL, scope_here

When = str | date | datetime
MOST_HITS = 100


class MemoryReader:
    """What can be asked of a memory. ``clock`` gives nanoseconds UTC."""

    def __init__(self, folder: str, *, clock: Callable[[], int] = time_ns) -> None:
        self.files = Files(folder)
        self.clock = clock

    def recall(  # noqa: PLR0913 - the filters of a search
        self,
        query: str,
        *,
        limit: int = 5,
        budget: int = 2000,
        scope: str | None = None,
        all_scopes: bool = False,
        tags: Sequence[str] = (),
        kind: str | None = None,
        since: When | None = None,
        until: When | None = None,
        as_of: When | None = None,
        min_score: float = 0.0,
        explain: bool = False,
        look: Look | None = None,
    ) -> Recall:
        """Find the facts that answer, best first, in a reply of at most ``budget`` tokens (0: any length).

        Reads ``scope`` (the project of the working directory) and ``global``. ``until`` takes the whole of a
        day. ``as_of``: what was believed then. Off-topic finds nothing, and that is no error.

        Raises:
            UsageError: a limit below 1 or a time that is none. BudgetTooSmall: not even an id fits.
        """
        if limit < 1 or budget < 0:
            raise UsageError(
                f"limit {limit}, budget {budget}", hint="limit is 1 to 100; budget 0 is unlimited"
            )
        filters = self._filters(scopes_read(scope, all_scopes=all_scopes), tags, kind, since, until, as_of)
        found, known = self._search(query, filters)
        found = [item for item in found if round(item.score, 4) >= min_score]
        database = self.files.reading()
        hits = load(database, found[: min(limit, MOST_HITS)]) if database else []
        packing = Packing(look or TextLook(scope or scope_here()), count, self._keep)
        shown, omitted, reply = packing.fit(hits, budget)
        explained = tuple(search.explained(found[: len(hits)], known)) if explain else ()
        return Recall(shown, tuple(omitted), reply, note_on(query, limit), explained)

    def _search(self, query: str, filters: search.Filters) -> "tuple[list[search.Found], list[search.Term]]":
        """Search; where the index was damaged from outside, make it anew first."""
        database = self.files.reading()
        if database is None:
            return [], []
        try:
            found, known = search.search(database, query, filters)
            if found or index.sound(database):
                return found, known
        except StoreTrouble:
            if database.integrity():
                raise
        self.reindex()
        database = self.files.reading()
        return search.search(database, query, filters) if database else ([], [])

    def recover(self, ref: str) -> bytes:
        """Give the exact bytes behind a recovery handle or a memory's id.

        Raises:
            UnknownMemory, UnknownHandle, RecoveryUnavailable: nothing is there.
        """
        if is_id(ref.strip()):
            return self.get(ref.strip()).text.encode()
        return self.files.copies().get(ref)

    def get(self, id: str) -> Memory:  # noqa: A002
        """Give one fact, current or not.

        Raises:
            UnknownMemory: no fact has that id.
        """
        return changes.get(self.files.reading(), id)

    def history(self, id: str) -> list[Memory]:  # noqa: A002
        """Give all versions of a fact from any of them, oldest first. Errors as `changes.history`."""
        return changes.history(self.files.reading(), id)

    def list(  # noqa: PLR0913 - the filters of a search
        self,
        *,
        scope: str | None = None,
        all_scopes: bool = False,
        tags: Sequence[str] = (),
        kind: str | None = None,
        since: When | None = None,
        until: When | None = None,
        as_of: When | None = None,
        limit: int | None = None,
        after: str | None = None,
        newest: bool = False,
        pinned: bool = False,
        superseded: bool = False,
    ) -> Sequence[Memory]:
        """Give facts in the order of arrival, without a limit unless one is given.

        ``after``: go on behind this id. ``newest``: the other way round. ``superseded``: all versions, expired
        ones too.

        Raises:
            UnknownMemory: ``after`` is not there. UsageError: a time that is none.
        """
        filters = self._filters(scopes_read(scope, all_scopes=all_scopes), tags, kind, since, until, as_of)
        condition, values = filters.sql(superseded=superseded)
        if pinned:
            condition += " AND pinned = 1"
        if after is not None:
            self.get(after)
            condition += f" AND number {'<' if newest else '>'} (SELECT number FROM memory WHERE id = ?)"
            values.append(after)
        order = "DESC" if newest else "ASC"
        # A few of the newest are at the end of the table; by the index all of the scope would be sorted first.
        table = "memory" if limit is None else "memory NOT INDEXED"
        sql = f"SELECT {COLUMNS} FROM {table} WHERE {condition} ORDER BY number {order} LIMIT ?"
        return [Memory.of(row) for row in self.files.rows(sql, (*values, -1 if limit is None else limit))]

    def reindex(self) -> int:
        """Make the index anew from the rows, and count tokens where that was not done. Gives the facts."""
        with self.files.writing() as database:
            total = index.rebuild(database)
            rows = database.rows("SELECT number, text FROM memory WHERE tokens IS NULL")
            database.executemany(
                "UPDATE memory SET tokens = ? WHERE number = ?",
                [(count(text), number) for number, text in rows],
            )
        return total

    def close(self) -> None:
        """Let go of the files."""
        self.files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _filters(
        self,
        scopes: Sequence[str] | None,
        tags: Sequence[str],
        kind: str | None,
        since: When | None,
        until: When | None,
        as_of: When | None,
    ) -> search.Filters:
        now = self.clock()
        return search.Filters(
            now,
            scopes,
            tags=tags,
            kind=kind,
            since=None if since is None else times.moment(since, now),
            until=None if until is None else times.moment(until, now, end=True),
            as_of=None if as_of is None else times.moment(as_of, now),
        )

    def _keep(self, hit: Hit) -> str | None:
        return self.files.keep(hit.text, hit.tokens or 0)


def scopes_read(scope: str | None, *, all_scopes: bool) -> list[str] | None:
    """Give the scopes that reading takes in; None for all."""
    return None if all_scopes else list(dict.fromkeys((scope or scope_here(), GLOBAL)))


def count(text: str) -> int:
    """Count tokens; the tokenizer is loaded by the first call."""
    from caveman_engine import tokens

    return tokens.count(text)


def note_on(query: str, limit: int) -> str | None:
    """Say why a query finds nothing, or to what its limit was clamped."""
    if not query_terms(query):
        return UNSEARCHABLE
    return f"limit {limit} was clamped to {MOST_HITS}" if limit > MOST_HITS else None
