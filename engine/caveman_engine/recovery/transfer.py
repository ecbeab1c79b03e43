"""Carrying records from one store to another: a zip file with each original as it is and its rows as JSON.

Owns the file's format. Any zip tool reads it. What is read back is believed only where its hash says so.
"""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import IO, Any

from caveman_engine.errors import CorruptRecord, UsageError
from caveman_engine.recovery import objects, pointers
from caveman_engine.recovery.records import TypedObject
from caveman_engine.recovery.shelf import ViewRow

_FORMAT = "caveman-ccr/1"


@dataclass(frozen=True, slots=True)
class Parcel:
    """One record on its way: the original, its views oldest first, its objects oldest first."""

    original: bytes
    views: list[ViewRow]
    objects: list[TypedObject]
    pinned: bool


def pack(file: IO[bytes], parcels: Iterator[Parcel]) -> list[str]:
    """Write records; give their handles."""
    handles = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for parcel in parcels:
            handle = pointers.handle_of(parcel.original)
            rows = {
                "format": _FORMAT,
                "sha256": hashlib.sha256(parcel.original).hexdigest(),
                "pinned": parcel.pinned,
                "views": [asdict(view) for view in parcel.views],
                "objects": [asdict(found) for found in parcel.objects],
            }
            archive.writestr(f"{handle}/original", parcel.original)
            archive.writestr(f"{handle}/record.json", json.dumps(rows, indent=1))
            handles.append(handle)
    return handles


def unpack(file: IO[bytes], max_bytes: int) -> Iterator[Parcel]:
    """Read records, each checked: handle against original, ids against what they name.

    Raises:
        UsageError: no such file format, or an original of more than ``max_bytes``.
        CorruptRecord: something in it is not what its name says.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                handle, _, part = info.filename.partition("/")
                if part == "original":
                    if info.file_size > max_bytes:
                        raise UsageError(
                            f"{handle} has {info.file_size:,} bytes; the store holds {max_bytes:,}"
                        )
                    yield _parcel(
                        handle, archive.read(info), json.loads(archive.read(f"{handle}/record.json"))
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"this is no export of a recovery store: {error}") from error


def _parcel(handle: str, original: bytes, rows: dict[str, Any]) -> Parcel:
    if rows["format"] != _FORMAT:
        raise UsageError(f"an export of format {rows['format']!r}; this version reads {_FORMAT}")
    digest = hashlib.sha256(original)
    if pointers.handle_from(digest.digest()) != handle or digest.hexdigest() != rows["sha256"]:
        raise CorruptRecord(f"the original of {handle} is damaged in the file")
    views = [ViewRow(**view) for view in rows["views"]]
    found = [TypedObject(**{**row, "dependencies": tuple(row["dependencies"])}) for row in rows["objects"]]
    for one in found:
        parts = (one.type, one.session_id, one.source, one.repository_state, digest.hexdigest())
        if objects.object_id(*parts) != one.object_id or (one.handle, one.content_hash) != (
            handle,
            parts[-1],
        ):
            raise CorruptRecord(f"{one.object_id} is not what its id says")
    return Parcel(original, views, found, bool(rows["pinned"]))


@contextmanager
def created(path: str) -> Iterator[IO[bytes]]:
    """Open a new file, 0600: it holds whatever the originals hold. An unfinished one is taken away."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise UsageError(f"cannot write the export: {error.strerror}", where=path) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
    except BaseException:
        os.unlink(path)
        raise


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """Open a file to read."""
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below; only the opening is translated
    except OSError as error:
        raise UsageError(f"cannot read the export: {error.strerror}", where=path) from error
    with file:
        yield file
