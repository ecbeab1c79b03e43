"""Room for many parts: who gets how much of a number of characters. Pure arithmetic; knows no content."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key")

LEAST = 28  # a part gets so much, or only its name
_NEAR_BEST = 0.3  # of the best score: parts below do not answer the query
_AT_MOST = 0.6  # of what is left for one part that answers it
_CONTEXT = 64  # a part up to this length may stand beside the answers


def fair(
    sizes: Mapping[Key, int], floors: Mapping[Key, int], room: int, *, with_last: bool
) -> dict[Key, int]:
    """Give the parts their floor, first ones first, and all of them the same of what is left over.

    ``floors`` is what a part takes if it is shown at all, at most its size; a part that has no room for it is left
    out. ``with_last`` serves the last part before all: the end of a list tells how it goes on.
    """
    keys = list(sizes)
    kept: set[Key] = set()
    left = room
    for key in [keys[-1], *keys[:-1]] if with_last else keys:
        if floors[key] <= left or not kept:
            kept.add(key)
            left -= floors[key]
    level = waterline([sizes[key] - floors[key] for key in keys if key in kept], max(0, left))
    return {key: floors[key] + min(sizes[key] - floors[key], level) for key in keys if key in kept}


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
