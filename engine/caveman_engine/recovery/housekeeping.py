"""The owner's housekeeping: what a sweep would take, and whether all is as it was stored.

Reads a shelf and decides; `store` carries it out. Must never take anything away by itself.
"""

import hashlib
from collections.abc import Iterable

from caveman_engine.errors import CorruptRecord
from caveman_engine.recovery import codec, objects, pointers
from caveman_engine.recovery.records import Removed, TypedObject, Verified
from caveman_engine.recovery.shelf import Original, Shelf


def sweep(shelf: Shelf, before: int) -> list[str]:
    """Give the handles that were last put before ``before`` (ns UTC) and may go.

    Pinned ones stay, and those that an object of a staying record depends on.
    """
    going = {row.handle for row in shelf.originals() if row.seen_at < before and not row.pinned}
    standing = list(shelf.objects())
    while needed := going & _needed(standing, going):
        going -= needed
    return sorted(going)


def _needed(standing: list[TypedObject], going: set[str]) -> set[str]:
    """Give the handles that objects of staying records depend on, directly or as an object's content."""
    content = {found.object_id: found.handle for found in standing}
    return {
        content.get(dependency, dependency)
        for found in standing
        if found.handle not in going
        for dependency in found.dependencies
    }


def take(shelf: Shelf, handles: Iterable[str], *, dry_run: bool = False) -> Removed:
    """Take records away with their views and objects, inside the transaction that is open; say what goes."""
    going = sorted(set(handles))
    gone = tuple(found.object_id for found in shelf.objects() if found.handle in going)
    freed = sum(shelf.cost(handle) for handle in going)
    if not dry_run:
        for handle in going:
            shelf.remove_original(handle)
        shelf.add_used(-freed)
    return Removed(tuple(going), gone, freed)


def take_object(shelf: Shelf, found: TypedObject) -> Removed:
    """Take an object away, and its original when no view and no other object stands on it."""
    others = any(o.handle == found.handle and o.object_id != found.object_id for o in shelf.objects())
    if not others and not shelf.views(found.handle):
        return take(shelf, [found.handle])
    freed = len(objects.as_text(found.data))
    shelf.remove_object(found.object_id)
    shelf.add_used(-freed)
    return Removed((), (found.object_id,), freed)


def verify(shelf: Shelf) -> Verified:
    """Read everything and compare it with what was put: rows, originals, sums, what objects depend on."""
    problems = shelf.problems()
    originals = shelf.originals()
    for row in originals:
        # What another process removes meanwhile is no fault.
        if (fault := _fault(shelf, row)) and shelf.original(row.handle) is not None:
            problems.append(f"{row.handle}: {fault}")
    used, cost = shelf.balance()
    if used != cost:
        problems.append(f"budget: the counter says {used:,} bytes, the rows {cost:,}")
    return Verified(len(originals), sum(1 for _ in shelf.objects()), tuple(problems))


def _fault(shelf: Shelf, row: Original) -> str | None:
    """Say what is wrong with one original, read chunk by chunk."""
    whole, size, stored = hashlib.sha256(), 0, 0
    try:
        for chunk in shelf.chunks(row.handle):
            stored += len(chunk.body)
            for piece in codec.pieces(row.codec, [chunk], row.handle, checked=True):
                whole.update(piece)
                size += len(piece)
    except CorruptRecord:
        return "the stored original is damaged"
    if whole.digest() != row.sha256 or pointers.handle_from(row.sha256) != row.handle:
        return "the stored original is not the one of this handle"
    if (size, stored) != (row.original_bytes, row.stored_bytes):
        return "its lengths are not those recorded"
    return None
