"""What a recovery store needs of the place where it keeps things. Rows in, rows out; no rule of recovery.

Two modules implement it: `sqlite` and `memory`. Every rule (handles, budget, collisions, transitions) stands
once, in `store`, above this protocol.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from caveman_engine.recovery.codec import Chunk
from caveman_engine.recovery.records import TypedObject


@dataclass(frozen=True, slots=True)
class Original:
    """One original: whose bytes, how they lie here, since when. Sizes in bytes, times in ns UTC."""

    handle: str
    sha256: bytes
    codec: str
    original_bytes: int
    stored_bytes: int
    created_at: int
    seen_at: int
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One view of an original; ``metadata`` is JSON text, empty for none."""

    view_id: str
    content_type: str
    compressor: str
    tokens_before: int
    tokens_after: int
    view_bytes: int
    metadata: str
    created_at: int


class Shelf(Protocol):
    """Where originals, views and objects lie. Methods that change something run inside `writing`."""

    where: str

    def writing(self) -> AbstractContextManager[None]:
        """Hold the one write lock; commit at the end, undo everything on an exception."""

    def used(self) -> int:
        """Give the running counter of bytes against the budget."""

    def add_used(self, delta: int) -> None:
        """Move the counter."""

    def original(self, handle: str) -> Original | None:
        """Find one original's row."""

    def originals(self) -> Sequence[Original]:
        """Give all of them, newest put first."""

    def write_original(self, original: Original, chunks: Iterable[Chunk] | None) -> None:
        """Add an original or replace its row, and its chunks unless None."""

    def chunks(self, handle: str, first: int = 0, last: int | None = None) -> Iterable[Chunk]:
        """Give the chunks of numbers ``first`` to ``last``, both included, in order."""

    def remove_original(self, handle: str) -> None:
        """Take away an original with its chunks, views and objects."""

    def views(self, handle: str | None = None) -> Sequence[tuple[str, ViewRow]]:
        """Give views with their handles, latest first: of one original, or all.

        Raises:
            CorruptRecord: a row of the asked one is damaged. Of all, damaged rows are left out.
        """

    def add_view(self, handle: str, view: ViewRow) -> None:
        """Add a view."""

    def remove_object(self, object_id: str) -> None:
        """Take away an object, not its original."""

    def object(self, object_id: str) -> TypedObject | None:
        """Find one object.

        Raises:
            CorruptRecord: its row is damaged.
        """

    def objects(self, session: str | None = None, type: str | None = None) -> Iterable[TypedObject]:  # noqa: A002
        """Give objects, newest first; damaged rows are left out."""

    def write_object(self, found: TypedObject) -> None:
        """Add an object, or replace its row."""

    def cost(self, handle: str) -> int:
        """Sum up what one original counts against the budget: chunks, metadata, objects' data."""

    def balance(self) -> tuple[int, int]:
        """Give the counter and what all originals together count, at one moment."""

    def totals(self) -> tuple[int, int, dict[str, tuple[int, int, int]]]:
        """Count records, objects, and by content type: views, tokens before, tokens after."""

    def problems(self) -> list[str]:
        """Give what is wrong with rows and files, one line each; originals' contents aside."""

    def erase(self) -> bool:
        """Drop what is left of removed bytes. False: a reader prevents it for now."""

    def vacuum(self) -> None:
        """Give free space back."""

    def physical_bytes(self) -> int:
        """Give what the files take."""

    def close(self) -> None:
        """Let go of everything."""
