"""The lower storey of a recovery store: exact originals under handles, and the views made of them.

Owns the order that nothing may break (commit, read back, then give the handle), the budget, what an identical
put is, and how a reference is led to bytes. Must never know SQL or how a view is made.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import replace

from caveman_engine.errors import (
    BudgetExceeded,
    CorruptRecord,
    HandleCollision,
    ObjectTypeMismatch,
    SelectorNotFound,
    UnknownHandle,
    UsageError,
)
from caveman_engine.recovery import codec, objects, pointers
from caveman_engine.recovery.pointers import Pointer
from caveman_engine.recovery.records import Record, TypedObject
from caveman_engine.recovery.shelf import Original, Shelf, ViewRow


class Originals:
    """Exact originals under content handles, and the views made of them.

    ``max_bytes`` bounds what is stored: originals after compression, metadata and objects' data. Nothing is
    ever evicted: a record that does not fit is refused. ``clock`` gives nanoseconds UTC.
    """

    def __init__(self, shelf: Shelf, max_bytes: int, *, clock: Callable[[], int] = time.time_ns) -> None:
        self._shelf = shelf
        self.max_bytes = max_bytes
        self._clock = clock

    @property
    def where(self) -> str:
        """Say where the store is: its path, or that it is in memory."""
        return self._shelf.where

    def put(self, record: Record, original: bytes | bytearray | memoryview) -> str:
        """Keep an original and the view made of it; give the handle once both are committed and read back.

        The same original again is stored once; the same view again changes nothing but ``seen_at``. An original
        that is found damaged is stored anew.

        Raises:
            BudgetExceeded, StoreTrouble: nothing was stored, no handle may be shown.
            HandleCollision: another original has this handle.
            UsageError: ``record.view_id`` names another view of this original already.
        """
        view = _view_row(record, self._clock())
        return self._keep(original, lambda handle: self._add_view(handle, view))

    def _keep(self, original: bytes | bytearray | memoryview, beside: Callable[[str], None]) -> str:
        """Store an original, and what ``beside`` adds to it, in one transaction; then read it back by hash."""
        data = memoryview(original).cast("B")
        digest = hashlib.sha256(data).digest()
        handle = pointers.handle_from(digest)
        intact = self._reads_back(handle, digest)
        # Compressed before the lock is taken; the row may yet be gone or there once it is ours.
        encoded = None if intact else codec.encode(data)
        with self._shelf.writing():
            row = self._shelf.original(handle)
            if row and row.sha256 != digest and pointers.handle_from(row.sha256) == handle:
                raise HandleCollision(f"another original has the handle {handle}", where=self.where)
            if row and intact:
                self._shelf.write_original(replace(row, seen_at=self._clock()), None)
            else:
                intact = False
                self._write(handle, digest, len(data), encoded or codec.encode(data), row)
            beside(handle)
        if not intact and not self._reads_back(handle, digest):
            raise codec.damaged(f"{self.where}: {handle}")
        return handle

    def _write(
        self,
        handle: str,
        digest: bytes,
        size: int,
        encoded: tuple[str, list[codec.Chunk]],
        old: Original | None,
    ) -> None:
        name, chunks = encoded
        stored = sum(len(chunk.body) for chunk in chunks)
        self._charge(stored - (old.stored_bytes if old else 0))
        now = self._clock()
        created, pinned = (old.created_at, old.pinned) if old else (now, False)
        self._shelf.write_original(Original(handle, digest, name, size, stored, created, now, pinned), chunks)

    def _charge(self, size: int) -> None:
        """Count ``size`` bytes against the budget, inside the transaction that stores them."""
        used = self._shelf.used()
        if size > 0 and used + size > self.max_bytes:
            raise BudgetExceeded(
                f"{size:,} bytes do not fit: {used:,} of {self.max_bytes:,} are used",
                where=self.where,
                hint="caveman tools ccr gc or rm frees space; CAVEMAN_CCR_MAX_BYTES raises the limit",
            )
        self._shelf.add_used(size)

    def _reads_back(self, handle: str, digest: bytes) -> bool:
        """Tell whether the original is there and reads as its digest says."""
        row = self._shelf.original(handle)
        if row is None or row.sha256 != digest:
            return False
        check = hashlib.sha256()
        try:
            for piece in codec.pieces(row.codec, self._shelf.chunks(handle), self.where, checked=False):
                check.update(piece)
        except CorruptRecord:
            return False
        return check.digest() == digest

    def _add_view(self, handle: str, view: ViewRow) -> None:
        for _, old in self._shelf.views(handle):
            if old.view_id == view.view_id:
                if replace(old, created_at=0) != replace(view, created_at=0):
                    raise UsageError(f"{handle} has another view {view.view_id} already")
                return
        self._charge(len(view.metadata.encode()))
        self._shelf.add_view(handle, view)

    def get(self, ref: str) -> bytes:
        """Give the exact original, or the part that the reference selects.

        Raises:
            InvalidPointer, UnknownHandle, SelectorNotFound, SelectorMismatch, ObjectTypeMismatch: see the codes.
            CorruptRecord: what is stored is not what was put; never wrong bytes.
        """
        return self._part(self._resolve(ref))

    def get_slice(self, ref: str, selector: str) -> bytes:
        """Give the part of an original that ``selector`` (``line=10,20``, ``/a/b``, …) names."""
        return self._part(replace(self._resolve(ref), selector=pointers.parse_selector(selector)))

    def _part(self, pointer: Pointer) -> bytes:
        row = self._original(pointer.id)
        if isinstance(pointer.selector, pointers.Bytes):
            return self._bytes(row, pointer.selector)
        whole = self._whole(row)
        if pointer.selector is None:
            return whole
        from caveman_engine.recovery import selectors

        return selectors.select(whole, pointer.selector, where=row.handle)

    def _bytes(self, row: Original, asked: pointers.Bytes) -> bytes:
        """Read and check only the chunks that the asked bytes lie in."""
        if asked.start >= row.original_bytes:
            raise SelectorNotFound(
                f"{row.handle} has {row.original_bytes:,} bytes", hint="positions count from 0"
            )
        first, end = asked.start // codec.CHUNK, min(asked.end, row.original_bytes)
        chunks = self._shelf.chunks(row.handle, first, (end - 1) // codec.CHUNK)
        where = f"{self.where}: {row.handle}"
        part = b"".join(codec.pieces(row.codec, chunks, where, checked=True))
        start = first * codec.CHUNK
        if len(part) < end - start:
            raise codec.damaged(where)
        return part[asked.start - start : end - start]

    def _whole(self, row: Original) -> bytes:
        where = f"{self.where}: {row.handle}"
        chunks = self._shelf.chunks(row.handle)
        whole = b"".join(codec.pieces(row.codec, chunks, where, checked=False))
        digest = hashlib.sha256(whole).digest()
        if digest != row.sha256 or pointers.handle_from(digest) != row.handle:
            raise codec.damaged(where)
        return whole

    def _resolve(self, ref: str) -> Pointer:
        """Read a reference, check the type that it asserts, and lead an object's id to its original's handle."""
        pointer = pointers.parse(ref)
        if pointer.is_object:
            found = self.get_object(ref)
            return replace(pointer, id=found.handle, is_object=False)
        if pointer.type is not None:
            self._original(pointer.id)
            if not any(found.handle == pointer.id for found in self._shelf.objects(type=pointer.type)):
                raise ObjectTypeMismatch(f"{pointer.id} is no {pointer.type}", where=self.where)
        return pointer

    def _present(self, ref: str) -> str:
        """Give the handle that a reference leads to, which must be here."""
        return self._original(self._resolve(ref).id).handle

    def _original(self, handle: str) -> Original:
        row = self._shelf.original(handle)
        if row is None:
            raise self._unknown(handle)
        return row

    def _unknown(self, name: str) -> UnknownHandle:
        from caveman_engine.recovery import elsewhere

        return UnknownHandle(
            f"nothing is stored under {name}", where=self.where, hint=elsewhere.hint(name, self.where)
        )

    def metadata(self, ref: str, view_id: str | None = None) -> Record:
        """Give the record of one view, or of the latest view that was put."""
        row = self._original(self._present(ref))
        views = [view for _, view in self._shelf.views(row.handle)]
        view = next((view for view in views if view_id in (None, view.view_id)), None)
        if view is None and view_id is not None:
            raise self._unknown(f"{row.handle} as view {view_id}")
        return as_record(row, view)

    def get_object(self, ref: str, type: str | None = None) -> TypedObject:  # noqa: A002
        """Find a typed object by its id, in any form of reference; ``get`` gives its content.

        Raises:
            UnknownHandle: not here. ObjectTypeMismatch: here, but no ``type``.
        """
        pointer = pointers.parse(ref)
        found = self._shelf.object(pointer.id) if pointer.is_object else None
        if found is None:
            if self._shelf.original(pointer.id):
                raise ObjectTypeMismatch(f"{pointer.id} is a record, no typed object", where=self.where)
            raise self._unknown(pointer.id)
        for wanted in (type, pointer.type):
            if wanted not in (None, found.type):
                raise ObjectTypeMismatch(
                    f"{found.object_id} is a {found.type}, no {wanted}", where=self.where
                )
        return found


def _view_row(record: Record, now: int) -> ViewRow:
    metadata = objects.as_text(record.metadata)
    fields = (
        record.content_type,
        record.compressor,
        record.tokens_before,
        record.tokens_after,
        record.view_bytes,
    )
    derived = hashlib.sha256(json.dumps([*fields, metadata]).encode()).hexdigest()[:16]
    return ViewRow(record.view_id or derived, *fields, metadata, now)


def as_record(row: Original, view: ViewRow | None) -> Record:
    """Join an original's row and one of its views; without a view (an object's content) its fields are empty."""
    view = view or ViewRow("", "", "", 0, 0, 0, "", row.created_at)
    return Record(
        content_type=view.content_type,
        compressor=view.compressor,
        tokens_before=view.tokens_before,
        tokens_after=view.tokens_after,
        view_bytes=view.view_bytes,
        metadata=json.loads(view.metadata or "{}"),
        view_id=view.view_id,
        handle=row.handle,
        sha256=row.sha256.hex(),
        codec=row.codec,
        original_bytes=row.original_bytes,
        stored_bytes=row.stored_bytes,
        created_at=view.created_at,
        seen_at=row.seen_at,
        pinned=row.pinned,
    )
