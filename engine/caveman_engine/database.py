"""The one module that imports sqlite3: WAL, immediate transactions, migrations, errors in our words.

Owns how a file is opened, locked and brought up to date. Must never know a table. It stands on the start-up
path of `caveman mem recall`: besides sqlite3 it imports only what is built in or loaded anyway, and types are
for the checker alone.
"""

from __future__ import annotations

import os
import sqlite3
from _thread import RLock
from time import monotonic, sleep

from caveman_engine.errors import (
    CavemanError,
    CorruptRecord,
    NewerSchema,
    RecoveryUnavailable,
    StoreBusy,
    StoreTrouble,
)
from caveman_engine.hardening import SIDECARS, canonical, create, harden, make_parents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType
    from typing import Any, Self

    Parameters = Sequence[Any]
    Migration = Callable[["Database"], None]

BUSY_SECONDS = 5.0
_OLDEST_SQLITE = (3, 37, 0)  # STRICT tables


class Database:
    """One connection to one hardened file, safe to share between threads.

    ``open`` writes, ``open_read`` reads and never takes the write lock. Both bring the file up to
    ``len(migrations)``, kept in SQLite's user_version. Statements outside `transaction` commit by themselves.
    """

    def __init__(self, connection: sqlite3.Connection, path: str, *, writable: bool) -> None:
        self._connection = connection
        self.path = path
        self.writable = writable
        self._lock = RLock()

    @classmethod
    def open(
        cls,
        path: str,
        migrations: Sequence[Migration],
        *,
        durable: bool = False,
        busy_seconds: float = BUSY_SECONDS,
    ) -> Database:
        """Open ``path`` for writing; make it, 0600, and its missing folders, 0700.

        ``durable``: each commit is on the disk before it returns, so it survives a power cut; otherwise the
        last commits may be lost by one (never torn).

        Raises:
            UnsafeStore, NewerSchema: refused, nothing was opened.
            StoreTrouble: cannot be opened for writing now.
        """
        path = canonical(path)
        with _translated(path):
            make_parents(os.path.dirname(path))
            harden(path)
            create(path)
            database = cls(_connect(path, "rw", busy_seconds), path, writable=True)
            try:
                database._set_up(durable=durable, until=monotonic() + 3 * busy_seconds)
                database._migrate(migrations)
            except BaseException:
                database.close()
                raise
        return database

    @classmethod
    def open_read(
        cls, path: str, migrations: Sequence[Migration], *, busy_seconds: float = BUSY_SECONDS
    ) -> Database | None:
        """Open ``path`` for reading, or give None where there is no file. Makes nothing but sidecars.

        An older schema is first migrated by one write open. A folder that cannot be written and holds no
        write-ahead log is read as immutable.

        Raises:
            UnsafeStore, NewerSchema: refused, nothing was opened.
            RecoveryUnavailable: it is there and cannot be read.
        """
        path = canonical(path)
        with _translated(path, RecoveryUnavailable):
            if not os.path.lexists(path):
                return None
            harden(path)
            database, version = cls._reader(path, busy_seconds)
            if version < len(migrations):
                database.close()
                cls.open(path, migrations, busy_seconds=busy_seconds).close()
                database, version = cls._reader(path, busy_seconds)
            if version > len(migrations):
                database.close()
                raise _newer(path, version, len(migrations))
        return database

    @classmethod
    def _reader(cls, path: str, busy_seconds: float) -> tuple[Database, int]:
        try:
            return cls._probed(path, "ro", busy_seconds)
        except sqlite3.OperationalError:
            # WAL needs a -shm file even to read; where it can be neither found nor made, nobody else writes.
            if os.path.exists(path + "-wal") or os.access(os.path.dirname(path), os.W_OK):
                raise
        return cls._probed(path, "ro&immutable=1", busy_seconds)

    @classmethod
    def _probed(cls, path: str, mode: str, busy_seconds: float) -> tuple[Database, int]:
        """Open for reading and give the schema's version, which is the first thing that can fail."""
        database = cls(_connect(path, mode, busy_seconds), path, writable=False)
        try:
            return database, database._version()
        except BaseException:
            database.close()
            raise

    def _set_up(self, *, durable: bool, until: float) -> None:
        """Set the connection up. The change to WAL does not wait for locks: it is tried again."""
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:
                if _primary(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or monotonic() > until:
                    raise
                sleep(0.01)
        for pragma in (
            f"synchronous={'FULL' if durable else 'NORMAL'}",
            "secure_delete=ON",
            "foreign_keys=ON",
            f"journal_size_limit={16 * 1024**2}",
        ):
            self._connection.execute("PRAGMA " + pragma)

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _migrate(self, migrations: Sequence[Migration]) -> None:
        """Run what is missing, each step atomic with its number; another process may be doing the same."""
        while (version := self._version()) < len(migrations):
            with self.transaction():
                if self._version() == version:
                    migrations[version](self)
                    self._connection.execute(f"PRAGMA user_version={version + 1}")
        if version > len(migrations):
            raise _newer(self.path, version, len(migrations))

    def transaction(self) -> Transaction:
        """Give a context manager: BEGIN IMMEDIATE, commit at its end, roll back on any exception.

        Inside another one of the same thread it joins that one.
        """
        return Transaction(self._connection, self._lock, self.path)

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; give the number of rows that it changed."""
        with self._lock, _translated(self.path):
            return self._connection.execute(sql, parameters).rowcount

    def insert(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one INSERT; give the new row's id."""
        with self._lock, _translated(self.path):
            return self._connection.execute(sql, parameters).lastrowid or 0

    def executemany(self, sql: str, rows: Iterable[Parameters]) -> None:
        """Run one statement for each row."""
        with self._lock, _translated(self.path):
            self._connection.executemany(sql, rows)

    def script(self, sql: str) -> None:
        """Run the statements of a ``.sql`` file one by one, inside the transaction that is open."""
        with self._lock, _translated(self.path):
            statement = ""
            for line in sql.splitlines(keepends=True):
                statement += line
                if sqlite3.complete_statement(statement):
                    self._connection.execute(statement)
                    statement = ""

    def rows(self, sql: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
        """Give all rows of a query."""
        with self._lock, _translated(self.path):
            return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Parameters = ()) -> tuple[Any, ...] | None:
        """Give the first row of a query, or None."""
        with self._lock, _translated(self.path):
            row: tuple[Any, ...] | None = self._connection.execute(sql, parameters).fetchone()
            return row

    def value(self, sql: str, parameters: Parameters = ()) -> Any:
        """Give the first column of the first row, or None."""
        row = self.row(sql, parameters)
        return row[0] if row else None

    def checkpoint(self, *, wait: bool = True) -> bool:
        """Move the write-ahead log into the file and empty it. False: somebody still uses it.

        ``wait``: for as long as for any lock; otherwise not at all.
        """
        with self._lock:
            patience = self.value("PRAGMA busy_timeout")
            if not wait:
                self.row("PRAGMA busy_timeout=0")
            try:
                return bool(self.value("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
            finally:
                self.row(f"PRAGMA busy_timeout={patience}")

    def vacuum(self) -> None:
        """Give free pages back to the file system."""
        self.execute("VACUUM")
        self.checkpoint()

    def integrity(self) -> list[str]:
        """Give what SQLite itself finds wrong with the file; empty when it is sound."""
        try:
            found = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        except StoreTrouble as error:
            return [error.what]
        return [] if found == ["ok"] else found

    def backup(self, path: str) -> None:
        """Write a consistent copy, 0600, to a file that must not exist yet."""
        path = canonical(path)
        with self._lock, _translated(path):
            harden(path)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            target = _connect(path, "rw", BUSY_SECONDS)
            try:
                self._connection.backup(target)
            finally:
                target.close()

    def physical_bytes(self) -> int:
        """Give the size of the file and its sidecars on disk."""
        return sum(
            os.path.getsize(self.path + end) for end in ("", *SIDECARS) if os.path.exists(self.path + end)
        )

    def close(self) -> None:
        """Close the connection; the last one out empties the write-ahead log."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Transaction:
    """What `Database.transaction` gives. A class, because contextlib is too dear on the start-up path."""

    def __init__(self, connection: sqlite3.Connection, lock: RLock, path: str) -> None:
        self._connection = connection
        self._lock = lock
        self._path = path
        self._outer = False

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._outer = not self._connection.in_transaction
            if self._outer:
                with _translated(self._path):
                    self._connection.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._lock.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._outer and kind is None:
                with _translated(self._path):
                    self._commit()
            elif self._outer and self._connection.in_transaction:
                self._connection.rollback()
        finally:
            self._lock.release()

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.rollback()
            raise


class _translated:  # noqa: N801 - reads as a function in `with`
    """Turn what SQLite and the file system raise into our errors, with the path."""

    def __init__(self, path: str, base: type[StoreTrouble] = StoreTrouble) -> None:
        self._path = path
        self._base = base

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, (sqlite3.Error, OSError)):
            raise trouble(error, self._path, self._base) from error


def trouble(
    error: sqlite3.Error | OSError, path: str, base: type[StoreTrouble] = StoreTrouble
) -> CavemanError:
    """Say what an error of SQLite or of the file system means for the store at ``path``."""
    if isinstance(error, OSError):
        return base(f"cannot use the store: {error.strerror or error}", where=path)
    code = _primary(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy("another process kept writing for too long", where=path, hint="try again")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        kind = RecoveryUnavailable if base is RecoveryUnavailable else CorruptRecord
        return kind(f"the file is damaged or no store: {error}", where=path, hint="keep the file; run verify")
    if code == sqlite3.SQLITE_FULL:
        return base("the disk is full", where=path, hint="free some space; what is stored stays readable")
    return base(f"cannot use the store: {error}", where=path)


def _primary(error: sqlite3.Error) -> int:
    """Give SQLite's primary result code: the low byte of the extended one."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _newer(path: str, version: int, known: int) -> NewerSchema:
    return NewerSchema(
        f"the store has schema {version}, this version knows {known}",
        where=path,
        hint="update caveman-toolkit; nothing was changed",
    )


def _connect(path: str, mode: str, busy_seconds: float) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise RecoveryUnavailable(
            f"SQLite {sqlite3.sqlite_version} is too old",
            hint="use a Python with SQLite 3.37 or later, or CAVEMAN_EPHEMERAL=1",
        )
    name = path.replace("\\", "/") if os.name == "nt" else path
    for char, code in (("%", "%25"), ("?", "%3f"), ("#", "%23")):
        name = name.replace(char, code)
    slash = "" if name.startswith("/") else "/"
    return sqlite3.connect(
        f"file:{slash}{name}?mode={mode}",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
