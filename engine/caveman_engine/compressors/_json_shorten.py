"""Long strings and vectors of JSON, cut with their length and hash. Works on the source's spelling; pure."""

import hashlib
import re
from collections.abc import Sequence

from caveman_engine.ranking import relevance

_BLOB = re.compile(r"[A-Za-z0-9+/=_-]{80,}\Z")
_SENTENCE = re.compile(r"(?<=[.!?;:]) +|(?:\\r)?(?:\\n)+")
_SAID = 36  # characters that the length and the hash take
_VECTOR = 200  # characters of a vector: its ends, its range and its hash


def string(source: str, room: int, query: str | None) -> str:
    """Cut a string (without its quotes) to its head, or to the sentences that answer the query."""
    room = max(16, 24 if _BLOB.match(source) else room - _SAID)
    kept = _passages(source, room, query) if query else _head(source, room)
    return f'"{kept}…"({len(source):,} characters, sha256 {_hash(source)})'


def vector(numbers: Sequence[str], room: int) -> tuple[str, int]:
    """Cut a list of numbers to its ends; give it and how many it shows."""
    room = min(room, _VECTOR)
    text = ",".join(numbers)
    if len(text) <= room:
        return f"[{text}]", len(numbers)
    ends = max(1, (room - 60) // (2 * (len(text) // len(numbers) + 1)))
    low, high = min(numbers, key=float), max(numbers, key=float)
    said = f"… {len(numbers) - 2 * ends:,} more of {low}..{high}, sha256 {_hash(text)}"
    return "[" + ",".join([*numbers[:ends], said, *numbers[-ends:]]) + "]", 2 * ends


def _passages(source: str, room: int, query: str) -> str:
    """Give the sentences that answer the query in their order, or the head where none does."""
    sentences = _SENTENCE.split(source)
    scores = relevance(query, sentences)
    kept: set[int] = set()
    left = room
    for i in sorted(range(len(sentences)), key=lambda i: (-scores[i], i)):
        if not scores[i] or len(sentences[i]) > left:
            break
        kept.add(i)
        left -= len(sentences[i]) + 3
    if kept:
        return "… ".join(sentences[i] for i in sorted(kept))
    best = max(range(len(sentences)), key=scores.__getitem__)
    return _head(sentences[best] if scores[best] else source, room)


def _head(source: str, room: int) -> str:
    """Give the beginning of a string without cutting an escape in two."""
    kept = source[:room]
    cut = kept.rfind("\\", max(0, room - 6))
    return kept[:cut] if cut >= 0 and len(kept) < len(source) else kept


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
