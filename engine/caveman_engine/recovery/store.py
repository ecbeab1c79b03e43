"""The recovery store as the house uses it: originals, typed objects, and the owner's housekeeping.

Owns which shelf is opened, typed objects' life, and what the owner may do. Must never know SQL, or how a view
is made. The rules about bytes are in `originals`.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, Self

from caveman_engine import home
from caveman_engine.recovery import housekeeping, objects, pointers
from caveman_engine.recovery.memory import MemoryShelf
from caveman_engine.recovery.originals import Originals, as_record
from caveman_engine.recovery.records import (
    Currentness,
    Lifecycle,
    Record,
    Removed,
    StoreStats,
    TypedObject,
    Verified,
)
from caveman_engine.recovery.shelf import ViewRow

if TYPE_CHECKING:
    from caveman_engine.recovery.transfer import Parcel

_FULL = 0.8


class RecoveryStore(Originals):
    """Exact originals under content handles, the views made of them, and typed objects.

    Safe to share between threads; any number of processes may open the same file.
    """

    @classmethod
    def open(cls, path: str | None = None, max_bytes: int | None = None) -> Self:
        """Open the store at ``path``, or where the environment says; the file is made by the first put.

        Raises:
            Refused: a bad setting or an unsafe path; nothing was opened.
        """
        limit = home.max_bytes() if max_bytes is None else max_bytes
        if path is None and home.ephemeral():
            return cls(MemoryShelf(), limit)
        from caveman_engine.recovery.sqlite import SqliteShelf

        return cls(SqliteShelf(os.path.expanduser(path or home.ccr_path())), limit)

    @classmethod
    def in_memory(cls, max_bytes: int | None = None) -> Self:
        """Make a store that lives in this process, and whose handles die with it."""
        return cls(MemoryShelf(), home.max_bytes() if max_bytes is None else max_bytes)

    def put_object(
        self,
        type: str,  # noqa: A002
        content: bytes,
        *,
        session_id: str = "",
        source: str = "",
        repository_state: str = "",
        dependencies: Iterable[str] = (),
        data: Mapping[str, Any] | None = None,
        lifecycle: Lifecycle = "hot",
    ) -> TypedObject:
        """Keep an observation: its content as an original, and where it came from beside it.

        The same one again (type, session, source, repository state, content) gives the one that is there,
        unchanged. ``dependencies`` are references to what is in this store already.

        Raises:
            UsageError: no such type or state, or ``data`` is no JSON.
            UnknownHandle: a dependency is not here.
            BudgetExceeded, StoreTrouble: nothing was stored.
        """
        content_hash = hashlib.sha256(content).hexdigest()
        name = objects.object_id(type, session_id, source, repository_state, content_hash)
        objects.check_transition(objects.LIFECYCLE, lifecycle, lifecycle)
        needed = tuple(self._named(reference) for reference in dependencies)
        found = TypedObject(
            object_id=name,
            type=type,
            content_hash=content_hash,
            handle=pointers.handle_from(bytes.fromhex(content_hash)),
            session_id=session_id,
            source=source,
            repository_state=repository_state,
            currentness="current",
            lifecycle=lifecycle,
            dependencies=needed,
            original_byte_length=len(content),
            stored_byte_length=0,
            created_at=self._clock(),
            data=json.loads(objects.as_text(data or {}) or "{}"),
        )
        self._keep(content, lambda _: self._add_object(found))
        return self.get_object(name)

    def _add_object(self, found: TypedObject) -> None:
        """Add an object, unless it is there: the first put of an observation stands."""
        if self._shelf.object(found.object_id) is None:
            self._charge(len(objects.as_text(found.data)))
            self._shelf.write_object(found)

    def _named(self, reference: str) -> str:
        """Give the bare handle or id of something that must be here."""
        self._present(reference)
        return pointers.parse(reference).id

    def objects(self, *, session: str | None = None, type: str | None = None) -> list[TypedObject]:  # noqa: A002
        """Give typed objects, newest first; a damaged row hides itself alone (`verify` names it)."""
        return list(self._shelf.objects(session, type))

    def newest(self, type: str, *, session: str | None = None) -> TypedObject | None:  # noqa: A002
        """Give the newest object of a type that is not archived, such as the decision that holds now."""
        found = self._shelf.objects(session, type)
        return next((one for one in found if one.currentness != "archived"), None)

    def set_currentness(self, ref: str, currentness: Currentness) -> TypedObject:
        """Say that an object is stale, archived, or current again.

        Raises:
            UsageError: `objects.CURRENTNESS` has no such way.
        """
        with self._shelf.writing():
            found = self.get_object(ref)
            objects.check_transition(objects.CURRENTNESS, found.currentness, currentness)
            self._shelf.write_object(replace(found, currentness=currentness))
        return self.get_object(ref)

    def set_lifecycle(self, ref: str, lifecycle: Lifecycle) -> TypedObject:
        """Move an object between hot, warm, cold and archived.

        Raises:
            UsageError: `objects.LIFECYCLE` has no such way.
        """
        with self._shelf.writing():
            found = self.get_object(ref)
            objects.check_transition(objects.LIFECYCLE, found.lifecycle, lifecycle)
            self._shelf.write_object(replace(found, lifecycle=lifecycle))
        return self.get_object(ref)

    def views(self, ref: str) -> list[Record]:
        """Give a record once for each view that was made of it, latest first."""
        row = self._original(self._present(ref))
        return [as_record(row, view) for _, view in self._shelf.views(row.handle)] or [as_record(row, None)]

    def ls(self) -> list[Record]:
        """Give every record with its latest view, newest put first."""
        latest: dict[str, ViewRow] = {}
        for handle, view in self._shelf.views():
            latest.setdefault(handle, view)
        return [as_record(row, latest.get(row.handle)) for row in self._shelf.originals()]

    def pin(self, ref: str, *, pinned: bool = True) -> None:
        """Keep a record from every `gc`, or stop keeping it."""
        handle = self._present(ref)
        with self._shelf.writing():
            self._shelf.write_original(replace(self._original(handle), pinned=pinned), None)

    def rm(self, *refs: str) -> Removed:
        """Remove records, pinned or not, with their views and objects; all of them or, on an error, none.

        An object's id removes the object, and its content when nothing else stands on it. The bytes are erased
        from the file and its journal. The references stop resolving.
        """
        for ref in refs:
            self._present(ref)  # an unknown one is found out before a file is made or locked
        removed = Removed((), (), 0)
        with self._shelf.writing():
            for ref in dict.fromkeys(refs):
                one = self._rm(ref)
                removed = Removed(
                    removed.handles + one.handles,
                    removed.objects + one.objects,
                    removed.freed_bytes + one.freed_bytes,
                )
        return replace(removed, erased=self._shelf.erase())

    def _rm(self, ref: str) -> Removed:
        if pointers.parse(ref).is_object:
            return housekeeping.take_object(self._shelf, self.get_object(ref))
        return housekeeping.take(self._shelf, [self._present(ref)])

    def gc(self, older_than: float, *, dry_run: bool = False) -> Removed:
        """Remove records whose latest put is more than ``older_than`` seconds ago.

        Pinned ones stay, and those that an object of a staying record depends on.
        """
        before = self._clock() - int(older_than * 1e9)
        going = housekeeping.sweep(self._shelf, before)
        if dry_run or not going:
            return housekeeping.take(self._shelf, going, dry_run=True)
        with self._shelf.writing():
            removed = housekeeping.take(self._shelf, housekeeping.sweep(self._shelf, before))
        return replace(removed, erased=self._shelf.erase())

    def verify(self) -> Verified:
        """Read everything and report every fault; repairs nothing."""
        return housekeeping.verify(self._shelf)

    def vacuum(self) -> int:
        """Give free space back to the file system; give the bytes that the files shrank by."""
        before = self._shelf.physical_bytes()
        if before:
            self._shelf.vacuum()
        return before - self._shelf.physical_bytes()

    def export(self, refs: Iterable[str], file: "str | IO[bytes]") -> list[str]:
        """Write records with their views and objects to a new file, mode 0600, or to an open one.

        Gives their handles. A store in memory outlives its process this way.
        """
        from caveman_engine.recovery import transfer

        handles = list(dict.fromkeys(map(self._present, refs)))
        parcels = (self._parcel(handle) for handle in handles)
        if not isinstance(file, str):
            return transfer.pack(file, parcels)
        with transfer.created(file) as target:
            return transfer.pack(target, parcels)

    def _parcel(self, handle: str) -> "Parcel":
        from caveman_engine.recovery.transfer import Parcel

        row = self._original(handle)
        views = [view for _, view in reversed(self._shelf.views(handle))]
        mine = [found for found in self._shelf.objects() if found.handle == handle]
        return Parcel(self._whole(row), views, mine[::-1], row.pinned)

    def import_(self, file: "str | IO[bytes]") -> list[str]:
        """Store what an export holds, one transaction a record; what is here already stays as it is.

        Raises:
            UsageError, CorruptRecord: it is no sound export; records before the faulty one are stored.
            BudgetExceeded: the next record does not fit.
        """
        from caveman_engine.recovery import transfer

        if not isinstance(file, str):
            return [self._unpack(parcel) for parcel in transfer.unpack(file, self.max_bytes)]
        with transfer.opened(file) as source:
            return [self._unpack(parcel) for parcel in transfer.unpack(source, self.max_bytes)]

    def _unpack(self, parcel: "Parcel") -> str:
        def beside(handle: str) -> None:
            for view in parcel.views:
                self._add_view(handle, view)
            for found in parcel.objects:
                self._add_object(found)
            if parcel.pinned:
                self._shelf.write_original(replace(self._original(handle), pinned=True), None)

        return self._keep(parcel.original, beside)

    def stats(self) -> StoreStats:
        """Count what is stored and what it takes."""
        records, count, by_type = self._shelf.totals()
        used = self._shelf.used()
        full = used > _FULL * self.max_bytes
        return StoreStats(records, count, by_type, used, self.max_bytes, self._shelf.physical_bytes(), full)

    def close(self) -> None:
        """Let go of the store; one in memory forgets everything."""
        self._shelf.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
