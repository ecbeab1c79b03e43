"""The memory as programs use it: remember, recall, and all that a fact lives through.

Owns what each verb promises. Must never know a command line, a protocol, or a file.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import islice
from time import time_ns
from typing import TYPE_CHECKING, Any, Self

from caveman_engine.errors import NewerSchema, StoreTrouble, UnsafeStore, UsageError
from caveman_engine.terms import query_terms
from caveman_mem import changes, index, schema, search, times, writing
from caveman_mem.errors import InexactForget
from caveman_mem.files import Files
from caveman_mem.hits import Hit, load
from caveman_mem.identity import folded, is_id, memory_id
from caveman_mem.memory import COLUMNS, Forgotten, Memory, Recall
from caveman_mem.packing import Look, TextLook, fit
from caveman_mem.scopes import GLOBAL, scope_here
from caveman_mem.secrets import screen

if TYPE_CHECKING:
    from caveman_mem.care import Check, Stats
    from caveman_mem.transfer import Imported

When = str | date | datetime
MOST_HITS = 100
_BATCH = 5000


class MemoryStore:
    """Durable facts in one folder; safe to share between threads, and between any number of processes.

    Reading never takes the write lock and makes no file. ``secrets`` is the policy for texts that hold one:
    refuse, mask or allow. ``counting``: keep each new fact's tokens, for which the tokenizer is loaded.
    ``clock`` gives nanoseconds UTC.
    """

    def __init__(
        self,
        folder: str,
        *,
        secrets: str = "refuse",
        counting: bool = True,
        clock: Callable[[], int] = time_ns,
    ) -> None:
        self.secrets = secrets
        self._counting = counting
        self.files = Files(folder)
        self._clock = clock

    @classmethod
    def open(cls, home: str | None = None, **settings: Any) -> Self:
        """Open the memory of ``home``, of CAVEMAN_HOME, or of ~/.caveman; files are made by the first write.

        ``settings``: secrets, counting, clock, as for the class.
        """
        return cls(schema.folder(home), **settings)

    # Writing

    def remember(
        self,
        text: str,
        *,
        scope: str | None = None,
        tags: Sequence[str] = (),
        kind: str | None = None,
        source: str = "user",
        session: str | None = None,
        at: datetime | None = None,
        secrets: str | None = None,
    ) -> Memory:
        """Store a fact, or give the one that is the same text; committed when this returns.

        ``at`` sets created_at and valid_from (imports, dialogues). Private parts are cut, secrets meet the policy.

        Raises:
            NotText, BlankMemory, MemoryTooLarge, OwnOutput, SecretFound: nothing was stored.
        """
        draft = self._draft(text, self._about(scope, tags, kind, source, session), at, secrets)
        with self.files.writing() as database:
            ((name, known),) = writing.add(database, [draft])
        return self._stored(name, known=known)

    def remember_many(
        self,
        texts: Iterable[str],
        *,
        scope: str | None = None,
        tags: Sequence[str] = (),
        kind: str | None = None,
        source: str = "user",
        session: str | None = None,
    ) -> tuple[int, int]:
        """Store many facts in one transaction; all of them or, on an error, none. Gives (new, already known).

        Raises:
            NotText, BlankMemory, MemoryTooLarge, OwnOutput, SecretFound: nothing was stored.
        """
        about = self._about(scope, tags, kind, source, session)
        iterator, new, known = iter(texts), 0, 0
        with self.files.writing(bulk=True) as database:
            while batch := list(islice(iterator, _BATCH)):
                results = writing.add(database, [self._draft(text, about) for text in batch])
                known += sum(is_known for _, is_known in results)
                new += len(results)
        return new - known, known

    def supersede(
        self,
        id: str,  # noqa: A002 - the field's name
        text: str,
        *,
        source: str = "user",
        session: str | None = None,
        at: datetime | None = None,
        secrets: str | None = None,
    ) -> Memory:
        """Replace what a current fact says; the old version stays in the history and is not recalled.

        Raises:
            UnknownMemory, NotCurrent, AlreadyCurrent, and those of `remember`: nothing was stored.
        """
        old = self.get(id)  # a missing file is not made for an unknown id
        about = self._about(old.scope, old.tags, old.kind, source, session or old.session)
        draft = self._draft(text, about, at, secrets)
        draft.pinned = old.pinned
        with self.files.writing() as database:
            name, known = changes.supersede(database, id, draft)
        return self._stored(name, known=known)

    def edit(
        self,
        id: str,  # noqa: A002
        *,
        tags: Sequence[str] | None = None,
        kind: str | None = None,
        pinned: bool | None = None,
        expires: When | None = None,
    ) -> Memory:
        """Change what is beside the text; None leaves as it is, an empty kind or ``expires="never"`` takes away.

        Raises:
            UnknownMemory: no fact has that id.
        """
        columns: dict[str, Any] = {}
        if tags is not None:
            columns["tags"] = tuple(tags)
        if kind is not None:
            columns["kind"] = kind or None
        if pinned is not None:
            columns["pinned"] = int(pinned)
        if expires is not None:
            columns["expires_at"] = None if expires == "never" else times.moment(expires, self._clock())
        changes.get(self.files.reading(), id)
        with self.files.writing() as database:
            return changes.edit(database, id, columns)

    def forget(self, *ids: str, chain: bool = False) -> Forgotten:
        """Erase facts: rows, index entries and recovery copies; ``chain``: with their whole histories.

        A copy that another fact still needs stays. The text stands in no file of the store afterwards, unless
        ``erased`` is False: a reader then holds old pages, and the next write finishes.

        Raises:
            UnknownMemory: one is not there; nothing was removed.
        """
        if chain:
            ids = tuple(memory.id for name in ids for memory in self.history(name))
        for name in ids:
            changes.get(self.files.reading(), name)
        with self.files.writing() as database:
            gone, again = changes.forget(database, ids)
        copies = sum(self.files.forget_copy(memory.text) for memory in gone)
        return Forgotten(tuple(memory.id for memory in gone), tuple(again), copies, self.files.erase())

    def forget_text(self, text: str, *, scope: str | None = None, chain: bool = False) -> Forgotten:
        """Erase the current fact that says exactly this, in a scope or ``global``.

        Raises:
            InexactForget: none does; the hint lists the near ones. Nothing was removed.
        """
        scopes = _scopes(scope, all_scopes=False) or []
        for name in scopes:
            first = memory_id(name, folded(text))
            rows = self.files.rows(
                f"SELECT id FROM memory WHERE (id = ? OR identity = ?) AND {writing.CURRENT}",
                (first, first, self._clock()),
            )
            if rows:
                return self.forget(rows[0][0], chain=chain)
        near = self.recall(text, scope=scope, limit=10, budget=0).hits
        listed = "\n".join(f"  {hit.id}  {' '.join(hit.text.split())[:80]}" for hit in near)
        raise InexactForget(
            "no memory says exactly that; nothing was removed",
            hint=f"forget one by its id:\n{listed}" if near else "caveman mem list shows the ids",
        )

    def import_(self, path: str, **options: Any) -> "Imported":
        """Read an export back, or facts from an agent's notes; see `transfer.import_file`."""
        from caveman_mem import transfer

        return transfer.import_file(self, path, **options)

    # Reading

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
        filters = self._filters(_scopes(scope, all_scopes=all_scopes), tags, kind, since, until, as_of)
        found, known = self._search(query, filters)
        found = [item for item in found if item.score >= min_score]
        database = self.files.reading()
        hits = load(database, found[: min(limit, MOST_HITS)]) if database else []
        shown, omitted, reply = fit(
            hits, query, budget, look or TextLook(scope or scope_here()), _count, self._keep
        )
        return Recall(
            shown,
            tuple(omitted),
            _count(reply),
            reply,
            _note(query, limit),
            tuple(search.explained(found[: len(hits)], known)) if explain else (),
        )

    def _search(self, query: str, filters: search.Filters) -> "tuple[list[search.Found], list[search.Term]]":
        """Search; where the index was damaged from outside, make it anew first."""
        database = self.files.reading()
        if database is None:
            return [], []
        try:
            found, known = search.search(database, query, filters)
            if found or index.sound(database):
                return found, known
        except (UnsafeStore, NewerSchema):
            raise
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
        filters = self._filters(_scopes(scope, all_scopes=all_scopes), tags, kind, since, until, as_of)
        condition, values = filters.sql(superseded=superseded)
        if pinned:
            condition += " AND pinned = 1"
        if after is not None:
            self.get(after)
            condition += f" AND number {'<' if newest else '>'} (SELECT number FROM memory WHERE id = ?)"
            values.append(after)
        order = "DESC" if newest else "ASC"
        sql = f"SELECT {COLUMNS} FROM memory WHERE {condition} ORDER BY number {order} LIMIT ?"
        return [Memory.of(row) for row in self.files.rows(sql, (*values, -1 if limit is None else limit))]

    def export(self, format: str = "jsonl") -> Iterator[str]:  # noqa: A002
        """Give every fact of every scope as lines of JSON, or as Markdown ("md"); see `transfer`."""
        from caveman_mem import transfer

        return transfer.export(self, format)

    # Care

    def stats(self) -> "Stats":
        """Count what is stored and what it takes."""
        from caveman_mem import care

        return care.stats(self, self._clock())

    def doctor(self) -> "Sequence[Check]":
        """Look at the files, the index and a round trip; change nothing."""
        from caveman_mem import care

        return care.doctor(self)

    def backup(self, path: str) -> None:
        """Write a consistent copy of mem.db, 0600, to a file that must not exist yet."""
        if (database := self.files.reading()) is None:
            raise StoreTrouble("there is nothing to back up yet", where=self.files.folder)
        database.backup(path)

    def reindex(self) -> int:
        """Make the index anew from the rows, and count tokens where that was not done. Gives the facts."""
        with self.files.writing() as database:
            total = index.rebuild(database)
            rows = database.rows("SELECT number, text FROM memory WHERE tokens IS NULL")
            database.executemany(
                "UPDATE memory SET tokens = ? WHERE number = ?",
                [(_count(text), number) for number, text in rows],
            )
        return total

    def close(self) -> None:
        """Let go of the files."""
        self.files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def draft(self, row: dict[str, Any]) -> writing.Draft:
        """Make a fact to be written of a row of an import, whose text has passed the policy."""
        draft = writing.Draft(
            row["text"],
            row.get("scope") or scope_here(),
            at=row.get("created_at") or self._clock(),
            tags=tuple(row["tags"]),
            kind=row.get("kind"),
            source=row["source"],
            session=row.get("session"),
        )
        draft.tokens = _count(draft.text) if self._counting else None
        return draft

    # Inside

    def _about(
        self, scope: str | None, tags: Sequence[str], kind: str | None, source: str, session: str | None
    ) -> dict[str, Any]:
        """Check what stands beside a text; a secret there is refused under any policy but allow."""
        for word in (*tags, kind or "", source, session or ""):
            screen(word, "allow" if self.secrets == "allow" else "refuse")
        return {
            "scope": scope or scope_here(),
            "tags": tuple(dict.fromkeys(tags)),
            "kind": kind,
            "source": source,
            "session": session,
        }

    def _draft(
        self, text: str, about: dict[str, Any], at: datetime | None = None, secrets: str | None = None
    ) -> writing.Draft:
        when = self._clock() if at is None else times.nanoseconds(at)
        draft = writing.Draft(writing.screened(text, secrets or self.secrets), at=when, **about)
        draft.tokens = _count(draft.text) if self._counting else None
        return draft

    def _filters(
        self,
        scopes: Sequence[str] | None,
        tags: Sequence[str],
        kind: str | None,
        since: When | None,
        until: When | None,
        as_of: When | None,
    ) -> search.Filters:
        now = self._clock()
        return search.Filters(
            now,
            scopes,
            tags=tags,
            kind=kind,
            since=None if since is None else times.moment(since, now),
            until=None if until is None else times.moment(until, now, end=True),
            as_of=None if as_of is None else times.moment(as_of, now),
        )

    def _stored(self, name: str, *, known: bool) -> Memory:
        ((*row,),) = self.files.rows(f"SELECT {COLUMNS} FROM memory WHERE id = ?", (name,))
        return Memory.of(row, already_known=known)

    def _keep(self, hit: Hit) -> str | None:
        return self.files.keep(hit.text, hit.tokens or 0)


def _scopes(scope: str | None, *, all_scopes: bool) -> list[str] | None:
    """Give the scopes that reading takes in; None for all."""
    return None if all_scopes else list(dict.fromkeys((scope or scope_here(), GLOBAL)))


def _count(text: str) -> int:
    """Count tokens; the tokenizer is loaded by the first call."""
    from caveman_engine import tokens

    return tokens.count(text)


def _note(query: str, limit: int) -> str | None:
    if not query_terms(query):
        return "the query holds no searchable word"
    return f"limit {limit} was clamped to {MOST_HITS}" if limit > MOST_HITS else None
