"""The two files of a memory and their connections: mem.db, and ccr.db with copies of what was shown in part.

Owns what is opened when, and that forgotten text is gone from both. Must never know what a fact means.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from caveman_engine.database import Database
from caveman_engine.errors import StoreTrouble, UnknownHandle
from caveman_mem import schema, writing

if TYPE_CHECKING:
    from caveman_engine.recovery import RecoveryStore

_CACHE_KIB = 64 * 1024  # while many rows are written: random pages of the id index would go to disk twice


class Files:
    """Connections made on first need. Reading takes no lock and makes no file."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.path = os.path.join(folder, "mem.db")
        self._lock = RLock()
        self._reader: Database | None = None
        self._writer: Database | None = None
        self._copies: RecoveryStore | None = None

    def reading(self) -> Database | None:
        """Give a connection that reads, or None while there is no file."""
        with self._lock:
            if self._writer is not None:
                return self._writer
            if self._reader is None:
                self._reader = Database.open_read(self.path, schema.MIGRATIONS)
            return self._reader

    def rows(self, sql: str, parameters: Any = ()) -> list[tuple[Any, ...]]:
        """Give all rows of a query; none while there is no file."""
        database = self.reading()
        return database.rows(sql, parameters) if database else []

    @contextmanager
    def writing(self, *, bulk: bool = False) -> Iterator[Database]:
        """Hold the write lock for one transaction; finish an erasure that a reader had blocked."""
        with self._lock:
            if self._writer is None:
                self._writer = Database.open(self.path, schema.MIGRATIONS)
                if self._reader is not None:
                    self._reader.close()
                    self._reader = None
            database = self._writer
        if bulk:
            database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        try:
            with database.transaction():
                unfinished = database.value("SELECT erasing FROM corpus")
                yield database
        finally:
            if bulk:
                database.execute("PRAGMA cache_size = -2000")
        if unfinished:
            self.erase()

    def erase(self) -> bool:
        """Take forgotten text out of the file. False: another process prevents it for now."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        return self._writer is not None and writing.erase(self._writer)

    def copies(self) -> "RecoveryStore":
        """Give the memory's own recovery store."""
        with self._lock:
            if self._copies is None:
                from caveman_engine.recovery import RecoveryStore

                self._copies = RecoveryStore.open(os.path.join(self.folder, "ccr.db"))
            return self._copies

    def keep(self, text: str, tokens_before: int) -> str | None:
        """Store a copy of a fact that is about to be shown in part; None where that is impossible now."""
        from caveman_engine.recovery import Record

        try:
            record = Record(content_type="text", compressor="memory", tokens_before=tokens_before)
            return self.copies().put(record, text.encode())
        except StoreTrouble:
            return None

    def forget_copy(self, text: str) -> bool:
        """Erase the copy of a text that no fact has any more; tell whether there was one."""
        from caveman_engine.recovery.pointers import handle_of

        if not os.path.exists(os.path.join(self.folder, "ccr.db")):
            return False
        if self.rows("SELECT 1 FROM memory WHERE text = ? LIMIT 1", (text,)):
            return False
        try:
            self.copies().rm(handle_of(text.encode()))
            self.copies().vacuum()
        except UnknownHandle:
            return False
        return True

    def close(self) -> None:
        """Let go of all."""
        with self._lock:
            for part in (self._reader, self._writer, self._copies):
                if part is not None:
                    part.close()
            self._reader = self._writer = self._copies = None
