"""The memory as programs use it: remember, recall, and all that a fact lives through.

Owns what each verb promises. Must never know a command line, a protocol, or a file.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from time import time_ns
from typing import TYPE_CHECKING, Any, Self

from caveman_engine.errors import StoreTrouble
from caveman_mem import changes, schema, times, writing
from caveman_mem.errors import InexactForget
from caveman_mem.identity import folded, memory_id
from caveman_mem.memory import COLUMNS, Forgotten, Memory
from caveman_mem.reading import MemoryReader, When, count, scopes_read
from caveman_mem.scopes import scope_here

if TYPE_CHECKING:
    from caveman_mem.care import Check, Stats
    from caveman_mem.transfer import Imported

_BATCH = 5000


class MemoryStore(MemoryReader):
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
        super().__init__(folder, clock=clock)
        self.secrets = secrets
        self._counting = counting

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
            BadLabel, SecretFound: a tag or the kind may not be written.
        """
        writing.screen_beside((*(tags or ()), kind or ""), self.secrets)
        columns: dict[str, Any] = {}
        if tags is not None:
            columns["tags"] = tuple(tags)
        if kind is not None:
            columns["kind"] = kind or None
        if pinned is not None:
            columns["pinned"] = int(pinned)
        if expires is not None:
            columns["expires_at"] = None if expires == "never" else times.moment(expires, self.clock())
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
        scopes = scopes_read(scope, all_scopes=False) or []
        for name in scopes:
            first = memory_id(name, folded(text))
            rows = self.files.rows(
                f"SELECT id FROM memory WHERE (id = ? OR identity = ?) AND {writing.CURRENT}",
                (first, first, self.clock()),
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

    def export(self, format: str = "jsonl") -> Iterator[str]:  # noqa: A002
        """Give every fact of every scope as lines of JSON, or as Markdown ("md"); see `transfer`."""
        from caveman_mem import transfer

        return transfer.export(self, format)

    # Care

    def stats(self) -> "Stats":
        """Count what is stored and what it takes."""
        from caveman_mem import care

        return care.stats(self, self.clock())

    def doctor(self) -> "Sequence[Check]":
        """Look at the files, the index and a round trip; change nothing."""
        from caveman_mem import care

        return care.doctor(self)

    def backup(self, path: str) -> None:
        """Write a consistent copy of mem.db, 0600, to a file that must not exist yet."""
        if (database := self.files.reading()) is None:
            raise StoreTrouble("there is nothing to back up yet", where=self.files.folder)
        database.backup(path)

    def draft(self, row: dict[str, Any]) -> writing.Draft:
        """Make a fact to be written of a row of an import, whose text has passed the policy."""
        draft = writing.Draft(
            row["text"],
            row.get("scope") or scope_here(),
            at=row.get("created_at") or self.clock(),
            tags=tuple(row["tags"]),
            kind=row.get("kind"),
            source=row["source"],
            session=row.get("session"),
        )
        draft.tokens = count(draft.text) if self._counting else None
        return draft

    # Inside

    def _about(
        self, scope: str | None, tags: Sequence[str], kind: str | None, source: str, session: str | None
    ) -> dict[str, Any]:
        """Give what stands beside a text, checked."""
        scope = scope or scope_here()
        writing.screen_beside((scope, *tags, kind or "", source, session or ""), self.secrets)
        return {
            "scope": scope,
            "tags": tuple(dict.fromkeys(tags)),
            "kind": kind,
            "source": source,
            "session": session,
        }

    def _draft(
        self, text: str, about: dict[str, Any], at: datetime | None = None, secrets: str | None = None
    ) -> writing.Draft:
        when = self.clock() if at is None else times.nanoseconds(at)
        draft = writing.Draft(writing.screened(text, secrets or self.secrets), at=when, **about)
        draft.tokens = count(draft.text) if self._counting else None
        return draft

    def _stored(self, name: str, *, known: bool) -> Memory:
        ((*row,),) = self.files.rows(f"SELECT {COLUMNS} FROM memory WHERE id = ?", (name,))
        return Memory.of(row, already_known=known)
