"""A shelf in dictionaries: for embedders, ephemeral runs and a Python without sqlite3. It dies with its process.

Knows no rule of recovery.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock

from caveman_engine.recovery.codec import Chunk
from caveman_engine.recovery.objects import as_text
from caveman_engine.recovery.records import TypedObject
from caveman_engine.recovery.shelf import Original, ViewRow


class MemoryShelf:
    """The shelf in this process's memory, safe to share between its threads."""

    where = "in memory"

    def __init__(self) -> None:
        self._lock = RLock()
        self._used = 0
        self._originals: dict[str, Original] = {}
        self._chunks: dict[str, list[Chunk]] = {}
        self._views: list[tuple[str, ViewRow]] = []
        self._objects: dict[str, TypedObject] = {}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock; put everything back as it was when the block raises."""
        with self._lock:
            before = (
                self._used,
                dict(self._originals),
                dict(self._chunks),
                list(self._views),
                dict(self._objects),
            )
            try:
                yield
            except BaseException:
                self._used, self._originals, self._chunks, self._views, self._objects = before
                raise

    def used(self) -> int:
        """Give the running counter."""
        return self._used

    def add_used(self, delta: int) -> None:
        """Move the running counter."""
        self._used += delta

    def original(self, handle: str) -> Original | None:
        """Find one original's row."""
        return self._originals.get(handle)

    def originals(self) -> list[Original]:
        """Give all originals, newest put first."""
        with self._lock:
            rows = list(reversed(self._originals.values()))
        return sorted(rows, key=lambda row: -row.seen_at)

    def write_original(self, original: Original, chunks: Iterable[Chunk] | None) -> None:
        """Add an original or replace its row, and its chunks, copied, unless None."""
        self._originals[original.handle] = original
        if chunks is not None:
            self._chunks[original.handle] = [Chunk(chunk.sha256, bytes(chunk.body)) for chunk in chunks]

    def chunks(self, handle: str, first: int = 0, last: int | None = None) -> list[Chunk]:
        """Give chunks ``first`` to ``last``, both included."""
        return self._chunks.get(handle, [])[first : None if last is None else last + 1]

    def remove_original(self, handle: str) -> None:
        """Take away an original with its chunks, views and objects."""
        del self._originals[handle], self._chunks[handle]
        self._views = [row for row in self._views if row[0] != handle]
        self._objects = {name: found for name, found in self._objects.items() if found.handle != handle}

    def views(self, handle: str | None = None) -> list[tuple[str, ViewRow]]:
        """Give views with their handles, latest first."""
        with self._lock:
            asked = [row for row in reversed(self._views) if handle in (None, row[0])]
        return sorted(asked, key=lambda row: -row[1].created_at)

    def add_view(self, handle: str, view: ViewRow) -> None:
        """Add a view."""
        self._views.append((handle, view))

    def remove_object(self, object_id: str) -> None:
        """Take away an object, not its original."""
        del self._objects[object_id]

    def object(self, object_id: str) -> TypedObject | None:
        """Find one object."""
        found = self._objects.get(object_id)
        return None if found is None else self._sized(found)

    def objects(self, session: str | None = None, type: str | None = None) -> list[TypedObject]:  # noqa: A002
        """Give objects, newest first."""
        with self._lock:
            asked = [
                self._sized(found)
                for found in reversed(self._objects.values())
                if session in (None, found.session_id) and type in (None, found.type)
            ]
        return sorted(asked, key=lambda found: -found.created_at)

    def _sized(self, found: TypedObject) -> TypedObject:
        return replace(found, stored_byte_length=self._originals[found.handle].stored_bytes)

    def write_object(self, found: TypedObject) -> None:
        """Add an object, or replace its row."""
        self._objects[found.object_id] = found

    def cost(self, handle: str) -> int:
        """Sum up what one original counts against the budget."""
        with self._lock:
            views = sum(len(view.metadata) for name, view in self._views if name == handle)
            data = sum(len(as_text(found.data)) for found in self._objects.values() if found.handle == handle)
            return self._originals[handle].stored_bytes + views + data

    def balance(self) -> tuple[int, int]:
        """Give the counter and what all originals together count."""
        with self._lock:
            return self._used, sum(map(self.cost, self._originals))

    def totals(self) -> tuple[int, int, dict[str, tuple[int, int, int]]]:
        """Count records, objects, and views by content type."""
        by_type: dict[str, tuple[int, int, int]] = {}
        with self._lock:
            for _, view in sorted(self._views, key=lambda row: row[1].content_type):
                count, before, after = by_type.get(view.content_type, (0, 0, 0))
                totals = (count + 1, before + view.tokens_before, after + view.tokens_after)
                by_type[view.content_type] = totals
            return len(self._originals), len(self._objects), by_type

    def problems(self) -> list[str]:
        """Nothing can change rows behind the store's back here."""
        return []

    def erase(self) -> bool:
        """Nothing is left of what was removed."""
        return True

    def vacuum(self) -> None:
        """Nothing to give back."""

    def physical_bytes(self) -> int:
        """Give the size of the chunks."""
        with self._lock:
            return sum(len(chunk.body) for chunks in self._chunks.values() for chunk in chunks)

    def close(self) -> None:
        """Let go of everything."""
        self.__init__()  # type: ignore[misc]
