"""Which lines of a page are shown when not all are: what fits a budget, what stands round a match.

Owns order and budget. Knows lines, not what is in them; how a line is measured comes in as a function.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from caveman_engine.axline import Line, Reference, Shorten
from caveman_engine.axnode import CONTROLS
from caveman_engine.axpage import LANDMARKS

# No line is shorter, in characters or tokens.
LEAST_LINE = 4
# Of a query's answers, those that earn less than this share of the best one are none.
WEAK = 0.3
# What a reader needs first when not all fits; text and all other lines come with the links.
_RANK = {"heading": 1.0, "button": 1.5, "clickable": 1.5, "tab": 1.5, "link": 2.0, "row": 2.0, "item": 2.2}


def fit(
    found: Sequence[Line], order: Sequence[int], budget: float, price: Callable[[Line], float]
) -> list[int]:
    """Take lines in ``order``, each with those it stands under, until ``budget`` is spent; the first one always.

    ``price`` measures a line as it will be written. Gives the indices in the page's order.
    """
    heads = _heads(found)
    kept: set[int] = set()
    left = budget
    for index in order:
        chain = [at for at in _chain(found, heads, index) if at not in kept]
        asked = sum(price(found[at]) for at in chain)
        if asked > left and kept:
            continue
        kept.update(chain)
        left -= asked
        if left < LEAST_LINE:
            break
    return sorted(kept)


def _chain(found: Sequence[Line], heads: Sequence[int], index: int) -> Iterator[int]:
    """Give a line, the column heads of its row, and the lines it stands under."""
    if heads[index] >= 0:
        yield heads[index]
    while index >= 0:
        yield index
        index = found[index].up


def _heads(found: Sequence[Line]) -> list[int]:
    """Give for each row the line with its column heads, -1 where there is none."""
    out: list[int] = []
    open_: dict[int, int] = {}
    for at, line in enumerate(found):
        ends = line.depth + (line.label in ("row", "columns"))
        open_ = {depth: heads for depth, heads in open_.items() if depth < ends}
        if line.kind == "columns":
            open_[line.depth] = at
        out.append(open_.get(line.depth, -1) if line.label == "row" else -1)
    return out


def best_first(scores: Sequence[float]) -> list[int]:
    """Order what has a score by it, without what earns too little beside the best: words that stand everywhere."""
    least = max(scores, default=0.0) * WEAK
    ranked = sorted((-score, at) for at, score in enumerate(scores) if score > 0 and score >= least)
    return [at for _, at in ranked]


def by_need(found: Sequence[Line]) -> list[int]:
    """Order lines by what a first look at a page needs: frame and headings, what can be acted on, samples."""
    seen: Counter[tuple[int, str]] = Counter()
    ranks: list[tuple[float, int]] = []
    for at, line in enumerate(found):
        label = line.label
        rank = 0.0 if label in LANDMARKS else 1.2 if label in CONTROLS else _RANK.get(label, 2.0)
        # The tenth row says less than the first: it is one of its kind.
        rank += 0.8 * math.log2(1 + seen[line.up, label])
        seen[line.up, label] += 1
        ranks.append((rank, at))
    return [at for _, at in sorted(ranks)]


def write_kept(
    found: Sequence[Line], kept: Sequence[int], reference: Reference, shorten: Shorten | None, *, gaps: bool
) -> str:
    """Write some of the lines; with ``gaps``, say between them what was left out. The page's own line is no gap."""
    out: list[str] = []
    last = 0 if kept and kept[0] else -1
    for index in kept:
        if gaps and index > last + 1:
            out.append(_gap(found[last + 1 : index]))
        out.append(found[index].write(reference, shorten))
        last = index
    if gaps and last + 1 < len(found):
        out.append(_gap(found[last + 1 :]))
    return "".join(line + "\n" for line in out)


def _gap(left_out: Sequence[Line]) -> str:
    """Say what a gap holds, by kind."""
    counts = Counter(line.label for line in left_out).most_common()
    named = [f"{count:,} {label}{'s' * (count > 1 and label != 'text')}" for label, count in counts[:3]]
    if more := sum(count for _, count in counts[3:]):
        named.append(f"{more:,} more")
    return "  " * min(line.depth for line in left_out) + "… " + ", ".join(named)


def searchable(found: Sequence[Line]) -> list[str]:
    """Give for each line the text that a query is held against."""
    return [line.write() for line in found]


def governing(found: Sequence[Line], kept: Collection[int]) -> set[int]:
    """Give the headings that say what the kept lines are about: the last one before each, in the same part."""
    out: set[int] = set()
    for index in kept:
        line = found[index]
        if line.kind in ("row", "columns") or line.label == "heading" or line.up < 0:
            continue
        at = index - 1
        while at > line.up and not (found[at].label == "heading" and found[at].depth <= line.depth):
            at -= 1
        if at > line.up:
            out.add(at)
    return out
