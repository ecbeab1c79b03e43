"""Choosing which lines stand in a view. Owns the filling of a budget; knows neither content types nor signals.

Scores are plain numbers, higher is better, at most 0 means "only if nothing else". Costs are characters.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

MARKER = 36  # characters that an elision costs on average


def cost(lines: Sequence[str], taken: Collection[int], beside: Collection[int] = ()) -> int:
    """Give the characters that lines cost, with an elision for each run of them that is not beside others."""
    here = taken if isinstance(taken, set) else set(taken)
    runs = sum(index - 1 not in here and index - 1 not in beside for index in here)
    return sum(len(lines[index]) + 1 for index in here) + MARKER * runs


def fill(
    lines: Sequence[str], scores: Mapping[int, float], budget: int, must: Iterable[int] = ()
) -> set[int]:
    """Take lines best first until the budget is spent; ``must`` are taken before, whatever they cost.

    A line that stands next to a taken one costs no new elision. A line that does not fit is passed over, so a
    smaller one after it may still be taken. Ties go to the earlier line.
    """
    kept = set(must)
    left = budget - sum(len(lines[index]) + 1 for index in kept)
    for index in sorted(scores, key=lambda i: (-scores[i], i)):
        if left <= 0:
            break
        if index in kept or scores[index] <= 0:
            continue
        joined = index - 1 in kept or index + 1 in kept
        cost = len(lines[index]) + 1 + (0 if joined else MARKER)
        if cost <= left:
            kept.add(index)
            left -= cost
    return kept
