"""A shelf in one SQLite file. Owns the tables and their seals; knows no rule of recovery, imports no sqlite3.

Reading and writing have a connection each, made on first use: a command that only reads never takes the write
lock and never makes the file.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

from caveman_engine.database import Database
from caveman_engine.errors import CorruptRecord, StoreTrouble
from caveman_engine.hardening import canonical, harden
from caveman_engine.recovery.codec import Chunk
from caveman_engine.recovery.objects import as_text
from caveman_engine.recovery.records import TypedObject
from caveman_engine.recovery.shelf import Original, ViewRow

_ORIGINAL = "handle, sha256, codec, original_bytes, stored_bytes, created_at, seen_at, pinned"
_VIEW = "view_id, content_type, compressor, tokens_before, tokens_after, view_bytes, metadata, created_at"
_PLAIN = (
    "object_id",
    "type",
    "handle",
    "session_id",
    "source",
    "repository_state",
    "currentness",
    "lifecycle",
)
_OBJECT = f"""{", ".join(_PLAIN)}, dependencies, object.created_at, data, object.seal,
    hex(sha256), original_bytes, stored_bytes"""


def _script(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), "sql", name), encoding="utf-8") as file:
        return file.read()


def _records(database: Database) -> None:
    database.script(_script("001_records.sql"))


def _objects(database: Database) -> None:
    database.script(_script("002_objects.sql"))


MIGRATIONS = (_records, _objects)


def seal(*columns: object) -> bytes:
    """Give the check of a row: 16 bytes of SHA-256 over its columns."""
    text = json.dumps([column.hex() if isinstance(column, bytes) else column for column in columns])
    return hashlib.sha256(text.encode()).digest()[:16]


class SqliteShelf:
    """The shelf in the file at ``path``, which need not exist.

    Raises:
        UnsafeStore: the path is refused; nothing was opened.
    """

    def __init__(self, path: str, *, busy_seconds: float = 5.0) -> None:
        self.where = canonical(path)
        self._busy_seconds = busy_seconds
        self._lock = RLock()
        self._writer: Database | None = None
        self._reader: Database | None = None
        harden(self.where)

    def _write(self) -> Database:
        with self._lock:
            if self._writer is None:
                self._writer = Database.open(
                    self.where, MIGRATIONS, durable=True, busy_seconds=self._busy_seconds
                )
            return self._writer

    def _read(self) -> Database | None:
        with self._lock:
            if self._writer is not None:
                return self._writer
            if self._reader is None:
                self._reader = Database.open_read(self.where, MIGRATIONS, busy_seconds=self._busy_seconds)
            return self._reader

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        database = self._read()
        return database.rows(sql, parameters) if database else []

    def _value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        rows = self._rows(sql, parameters)
        return rows[0][0] if rows else None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock of the file; afterwards finish an erasing that a reader had held up."""
        database = self._write()
        with database.transaction():
            yield
        if self._value("SELECT erasing FROM budget"):
            self._erase(wait=False)

    def used(self) -> int:
        """Give the running counter."""
        return int(self._value("SELECT used FROM budget") or 0)

    def add_used(self, delta: int) -> None:
        """Move the running counter."""
        self._write().execute("UPDATE budget SET used = used + ?", (delta,))

    def original(self, handle: str) -> Original | None:
        """Find one original's row."""
        rows = self._rows(f"SELECT {_ORIGINAL} FROM original WHERE handle = ?", (handle,))  # noqa: S608
        return _original(rows[0]) if rows else None

    def originals(self) -> list[Original]:
        """Give all originals, newest put first."""
        rows = self._rows(f"SELECT {_ORIGINAL} FROM original ORDER BY seen_at DESC, id DESC")  # noqa: S608
        return [_original(row) for row in rows]

    def write_original(self, original: Original, chunks: Iterable[Chunk] | None) -> None:
        """Add an original or replace its row, and its chunks unless None."""
        columns = (
            original.handle,
            original.sha256,
            original.codec,
            original.original_bytes,
            original.stored_bytes,
            original.created_at,
            original.seen_at,
            int(original.pinned),
        )
        database = self._write()
        database.execute(
            f"""INSERT INTO original ({_ORIGINAL}, seal) VALUES (?,?,?,?,?,?,?,?,?)
            ON CONFLICT (handle) DO UPDATE SET sha256=excluded.sha256, codec=excluded.codec,
                original_bytes=excluded.original_bytes, stored_bytes=excluded.stored_bytes,
                created_at=excluded.created_at, seen_at=excluded.seen_at, pinned=excluded.pinned,
                seal=excluded.seal""",  # noqa: S608
            (*columns, seal(*columns)),
        )
        if chunks is not None:
            key = self._key(original.handle)
            database.execute("DELETE FROM chunk WHERE original = ?", (key,))
            database.executemany(
                "INSERT INTO chunk (original, number, sha256, body) VALUES (?,?,?,?)",
                ((key, number, chunk.sha256, chunk.body) for number, chunk in enumerate(chunks)),
            )

    def _key(self, handle: str) -> int:
        return int(self._value("SELECT id FROM original WHERE handle = ?", (handle,)))

    def chunks(self, handle: str, first: int = 0, last: int | None = None) -> Iterator[Chunk]:
        """Give chunks one by one, so that only one of them is in memory; stop at a gap."""
        number = first
        while last is None or number <= last:
            rows = self._rows(
                """SELECT chunk.sha256, body FROM chunk JOIN original ON original.id = original
                WHERE handle = ? AND number = ?""",
                (handle, number),
            )
            if not rows:
                return
            yield Chunk(*rows[0])
            number += 1

    def remove_original(self, handle: str) -> None:
        """Take away an original; chunks, views and objects go with it by foreign key."""
        self._write().execute("DELETE FROM original WHERE handle = ?", (handle,))

    def views(self, handle: str | None = None) -> list[tuple[str, ViewRow]]:
        """Give views with their handles, latest first."""
        found = []
        for name, *columns, check in self._view_rows(handle):
            if seal(name, *columns) == check:
                found.append((str(name), ViewRow(*columns)))
            elif handle is not None:
                raise _damaged_row("view", name, self.where)
        return found

    def _view_rows(self, handle: str | None = None) -> list[tuple[Any, ...]]:
        return self._rows(
            f"""SELECT handle, {_VIEW.replace("created_at", "view.created_at")}, view.seal
            FROM view JOIN original ON original.id = original
            WHERE ? IS NULL OR handle = ? ORDER BY view.created_at DESC, view.id DESC""",  # noqa: S608
            (handle, handle),
        )

    def add_view(self, handle: str, view: ViewRow) -> None:
        """Add a view."""
        columns = (
            view.view_id,
            view.content_type,
            view.compressor,
            view.tokens_before,
            view.tokens_after,
            view.view_bytes,
            view.metadata,
            view.created_at,
        )
        self._write().execute(
            f"INSERT INTO view (original, {_VIEW}, seal) VALUES (?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
            (self._key(handle), *columns, seal(handle, *columns)),
        )

    def remove_object(self, object_id: str) -> None:
        """Take away an object, not its original."""
        self._write().execute("DELETE FROM object WHERE object_id = ?", (object_id,))

    def object(self, object_id: str) -> TypedObject | None:
        """Find one object."""
        rows = self._object_rows("object_id = ?", (object_id,))
        if not rows:
            return None
        found = _object(rows[0])
        if found is None:
            raise _damaged_row("object", object_id, self.where)
        return found

    def objects(self, session: str | None = None, type: str | None = None) -> Iterator[TypedObject]:  # noqa: A002
        """Give objects, newest first; damaged rows are left out."""
        clauses = {"session_id = ?": session, "type = ?": type}
        asked = {clause: value for clause, value in clauses.items() if value is not None}
        rows = self._object_rows(" AND ".join(asked) or "TRUE", tuple(asked.values()))
        return (found for row in rows if (found := _object(row)) is not None)

    def _object_rows(self, where: str = "TRUE", parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._rows(
            f"""SELECT {_OBJECT} FROM object JOIN original ON original.id = original
            WHERE {where} ORDER BY object.created_at DESC, object.id DESC""",  # noqa: S608
            parameters,
        )

    def write_object(self, found: TypedObject) -> None:
        """Add an object, or replace its row."""
        columns = (
            found.object_id,
            found.type,
            found.handle,
            found.session_id,
            found.source,
            found.repository_state,
            found.currentness,
            found.lifecycle,
            json.dumps(found.dependencies),
            found.created_at,
            as_text(found.data),
        )
        self._write().execute(
            """INSERT INTO object (object_id, type, original, session_id, source, repository_state, currentness,
                lifecycle, dependencies, created_at, data, seal)
            VALUES (?,?,(SELECT id FROM original WHERE handle = ?),?,?,?,?,?,?,?,?,?)
            ON CONFLICT (object_id) DO UPDATE SET currentness=excluded.currentness,
                lifecycle=excluded.lifecycle, seal=excluded.seal""",
            (*columns, seal(*columns)),
        )

    def cost(self, handle: str) -> int:
        """Sum up what one original counts against the budget."""
        return int(
            self._value(
                """SELECT stored_bytes
                    + (SELECT total(length(metadata)) FROM view WHERE original = original.id)
                    + (SELECT total(length(data)) FROM object WHERE original = original.id)
                FROM original WHERE handle = ?""",
                (handle,),
            )
        )

    def balance(self) -> tuple[int, int]:
        """Give the counter and what all rows together count, in one statement: others may be writing."""
        rows = self._rows(
            """SELECT coalesce((SELECT used FROM budget WHERE id = 1), -1),
                (SELECT total(stored_bytes) FROM original)
                + (SELECT total(length(metadata)) FROM view) + (SELECT total(length(data)) FROM object)"""
        )
        return (int(rows[0][0]), int(rows[0][1])) if rows else (0, 0)

    def totals(self) -> tuple[int, int, dict[str, tuple[int, int, int]]]:
        """Count records, objects, and views by content type."""
        by_type = self._rows(
            "SELECT content_type, count(*), sum(tokens_before), sum(tokens_after) FROM view GROUP BY 1 ORDER BY 1"
        )
        records = self._value("SELECT count(*) FROM original") or 0
        objects = self._value("SELECT count(*) FROM object") or 0
        return records, objects, {name: (count, before, after) for name, count, before, after in by_type}

    def problems(self) -> list[str]:
        """Check SQLite's own structure, every seal, and the rows that belong to nothing."""
        database = self._read()
        if database is None:
            return []
        found = [f"file: {line}" for line in database.integrity()]
        try:
            for *columns, check in database.rows(f"SELECT {_ORIGINAL}, seal FROM original"):  # noqa: S608
                if seal(*columns) != check:
                    found.append(f"{columns[0]}: the record's row was changed")
            for handle, *columns, check in self._view_rows():
                if seal(handle, *columns) != check:
                    found.append(f"{handle}: the row of its view {columns[0]} was changed")
            found += [
                f"{row[0]}: the object's row was changed"
                for row in self._object_rows()
                if _object(row) is None
            ]
            strays = database.rows('SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY 1')
            found += [f"file: {count} rows of {table} belong to no record" for table, count in strays]
        except StoreTrouble as error:
            found.append(f"file: {error.what}")
        return found

    def erase(self) -> bool:
        """Empty the write-ahead log; removed pages are overwritten already (secure_delete)."""
        return self._erase(wait=True)

    def _erase(self, *, wait: bool) -> bool:
        database = self._write()
        done = database.checkpoint(wait=wait)
        database.execute("UPDATE budget SET erasing = ? WHERE erasing <> ?", (not done, not done))
        return done

    def vacuum(self) -> None:
        """Give free pages back to the file system."""
        self._write().vacuum()

    def physical_bytes(self) -> int:
        """Give the size of the file with its sidecars."""
        database = self._read()
        return database.physical_bytes() if database else 0

    def close(self) -> None:
        """Close both connections."""
        with self._lock:
            for database in (self._reader, self._writer):
                if database is not None:
                    database.close()
            self._reader = self._writer = None


def _original(row: Sequence[Any]) -> Original:
    columns: tuple[Any, ...] = (*row[:-1], bool(row[-1]))
    return Original(*columns)


def _object(row: Sequence[Any]) -> TypedObject | None:
    """Make the object of a row; None when the row was changed."""
    *columns, check, sha256, original_bytes, stored_bytes = row
    if seal(*columns) != check:
        return None
    *plain, dependencies, created_at, data = columns
    return TypedObject(
        **dict(zip(_PLAIN, plain, strict=True)),
        dependencies=tuple(json.loads(dependencies)),
        created_at=created_at,
        data=json.loads(data) if data else {},
        content_hash=sha256.lower(),
        original_byte_length=original_bytes,
        stored_byte_length=stored_bytes,
    )


def _damaged_row(kind: str, name: str, where: str) -> CorruptRecord:
    return CorruptRecord(
        f"the {kind} of {name} was changed in the file", where=where, hint="caveman tools ccr verify"
    )
