"""Room for many parts: who gets how much of a number of characters. Pure arithmetic; knows no content."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key")

LEAST = 28  # a part gets so much, or only its name
_NEAR_BEST = 0.3  # of the best score: parts below do not answer the query
_AT_MOST = 0.6  # of what is left for one part that answers it
_CONTEXT = 64  # a part up to this length may stand beside the answers


def fair(sizes: Mapping[Key, int], room: int, *, with_last: bool) -> dict[Key, int]:
    """Give every part the same, less where it needs less; where that is too little, only the first parts.

    ``with_last`` keeps the last part too: the end of a list tells how it goes on.
    """
    level = waterline(sizes.values(), room)
    if level >= LEAST:
        return {key: min(size, level) for key, size in sizes.items()}
    keys = list(sizes)
    count = max(1, room // (2 * LEAST))
    kept = [*keys[: count - 1], keys[-1]] if with_last and count > 1 else keys[:count]
    level = max(LEAST, waterline([sizes[key] for key in kept], room))
    return {key: min(sizes[key], level) for key in kept}


def by_score(sizes: Mapping[Key, int], scores: Mapping[Key, float], room: int) -> dict[Key, int]:
    """Serve the parts that answer a query first, best first, then short ones as context."""
    best = max(scores.values())
    grants: dict[Key, int] = {}
    left = room
    for key in sorted(sizes, key=lambda key: -scores[key]):
        if scores[key] < _NEAR_BEST * best or left < LEAST:
            break
        grants[key] = min(sizes[key], max(LEAST, int(_AT_MOST * left)))
        left -= grants[key]
    context = min(left, room // 5)
    for key, size in sizes.items():
        if key not in grants and size <= min(_CONTEXT, context):
            grants[key] = size
            context -= size
    return grants


def waterline(sizes: Iterable[int], room: int) -> int:
    """Give the level up to which all parts can be filled with ``room``."""
    rest = sorted(sizes)
    for done, size in enumerate(rest):
        level = room // (len(rest) - done)
        if size > level:
            return level
        room -= size
    return max(rest, default=0)
