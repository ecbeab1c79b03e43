"""How an original lies in a store: chunks of 1 MiB, each with its own digest, compressed when that pays.

Pure functions over bytes. Must never know a store.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from caveman_engine.errors import CorruptRecord, RecoveryUnavailable

CHUNK = 1024**2
_SMALLEST = 4096  # below this a compressed original saves nothing that counts
_WORTH = 0.8  # compressed only when a fifth goes
_LEVEL = 1  # 64 MiB of log in a third of a second; level 3 saves a twentieth more and takes twice as long


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece as it is stored: ``body``, and the SHA-256 of the piece before compression."""

    sha256: bytes
    body: bytes | memoryview


def encode(original: memoryview) -> tuple[str, list[Chunk]]:
    """Give the codec's name and the chunks. Raw chunks are views of the original, not copies."""
    pieces = [original[start : start + CHUNK] for start in range(0, len(original), CHUNK)]
    digests = [hashlib.sha256(piece).digest() for piece in pieces]
    bodies = _compressed(pieces, len(original))
    codec = "raw" if bodies is None else "zstd"
    stored: Sequence[bytes | memoryview] = pieces if bodies is None else bodies
    return codec, [Chunk(*pair) for pair in zip(digests, stored, strict=True)]


def _compressed(pieces: list[memoryview], size: int) -> list[bytes] | None:
    if size < _SMALLEST or (zstd := _zstd()) is None:
        return None
    bodies = [zstd.compress(piece) for piece in pieces]
    return bodies if sum(map(len, bodies)) <= _WORTH * size else None


def pieces(codec: str, chunks: Iterable[Chunk], where: str, *, checked: bool) -> Iterator[bytes | memoryview]:
    """Give the pieces of an original back, each against its own digest when ``checked``.

    Raises:
        CorruptRecord: a piece is not what was stored.
        RecoveryUnavailable: it is compressed and this Python has no zstd.
    """
    for chunk in chunks:
        piece = _decompressed(chunk.body, where) if codec == "zstd" else chunk.body
        if checked and hashlib.sha256(piece).digest() != chunk.sha256:
            raise damaged(where)
        yield piece


def _decompressed(body: bytes | memoryview, where: str) -> bytes:
    if (zstd := _zstd()) is None:
        raise RecoveryUnavailable(
            "this original is compressed and this Python has no zstd",
            where=where,
            hint="pip install zstandard",
        )
    try:
        return zstd.decompress(body)
    except (zstd.error, MemoryError) as error:  # a damaged length can ask for any amount
        raise damaged(where) from error


def damaged(where: str) -> CorruptRecord:
    """Give the error for a record whose bytes are not those that were put."""
    return CorruptRecord(
        "the stored original is damaged; nothing of it is given",
        where=where,
        hint="caveman tools ccr verify lists what else is; run the source again to store it anew",
    )


class _Zstd(NamedTuple):
    compress: Callable[[bytes | memoryview], bytes]
    decompress: Callable[[bytes | memoryview], bytes]
    error: type[Exception]


@cache
def _zstd() -> _Zstd | None:
    """Import zstd on first use, or give None where there is none: the standard library's from Python 3.14."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd

            return _Zstd(partial(zstd.compress, level=_LEVEL), zstd.decompress, zstd.ZstdError)
        import zstandard
    except ImportError:
        return None
    decompress = partial(zstandard.ZstdDecompressor().decompress, max_output_size=CHUNK)
    return _Zstd(zstandard.ZstdCompressor(level=_LEVEL).compress, decompress, zstandard.ZstdError)
