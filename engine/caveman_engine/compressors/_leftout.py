"""What is said about the lines that a view leaves out: how many are like a shown one, and their values.

Owns the sentences; each is true of all the lines that it counts. Knows nothing of scores.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import log2

from caveman_engine import facts, templates
from caveman_engine.compressors import _stamps
from caveman_engine.ranking import relevance
from caveman_engine.templates import Template

_MOST_TEMPLATES = 10
_FEWEST = 5  # lines left out of a template that are worth a sentence
_FEW_KINDS = 6  # values of a column that are all enumerated
_LONGEST = 36  # characters of a value that is repeated in a fact


def sentences(
    lines: Sequence[str], mined: Sequence[Template], kept: Collection[int], budget: int, query: str | None
) -> Iterator[str]:
    """Yield a sentence a template, those with most lines left out first (with a query the most relevant)."""
    rows = []
    for template in mined:
        left = [member for member in template.members if member not in kept]
        shown = next((member for member in template.members if member in kept), None)
        if len(left) >= _FEWEST and shown is not None and lines[shown].strip():
            rows.append((template, left, shown))
    rows.sort(key=lambda row: -len(row[1]))
    if query:
        worth = relevance(query, [lines[shown] for _, _, shown in rows])
        order = sorted(range(len(rows)), key=lambda i: -worth[i] * log2(len(rows[i][1])))
        rows = [rows[i] for i in order]
    for _, left, shown in rows[:_MOST_TEMPLATES]:
        told = values([lines[member] for member in left])
        sentence = f"{len(left):,} of the lines left out are like line {shown + 1}" + (
            f"; {told}" if told else ""
        )
        budget -= len(sentence) + 12
        if budget < 0:
            return
        yield sentence


def values(lines: Sequence[str]) -> str:
    """State what the words of equally built lines are: few kinds with counts, else the most frequent."""
    stamp = _stamps.STAMP.match(lines[0])
    skipped = len(templates.words(stamp[0])) if stamp else 0
    table: dict[str, Sequence[str]] = {}
    frequent = []
    before = ""
    for position, told in enumerate(templates.columns(lines)):
        name, before = before, told[0]
        if position < skipped or not templates.is_category(told):
            continue
        name, column = _named(name if name.strip(":=").isalpha() else f"word {position + 1}", told)
        if facts.is_secret(name, column):
            continue
        kinds = Counter(column)
        if 1 < len(kinds) <= _FEW_KINDS:
            table[name] = column
        elif len(kinds) > 1 and (said := _most_frequent(name, kinds, len(column))):
            frequent.append(said)
    first = facts.columns(table, 200)
    return "; ".join(([first] if first else []) + frequent[:3])


def _named(before: str, column: list[str]) -> tuple[str, list[str]]:
    """Name a column by the key that all its values carry (``user=``), else by the word before it."""
    key, sign, _ = column[0].partition("=")
    if sign and all(value.startswith(key + "=") for value in column):
        return key, [value[len(key) + 1 :] for value in column]
    return before.strip(":=")[:24], column


def _most_frequent(name: str, kinds: Counter[str], total: int) -> str:
    """Name the leaders of a column when they lead: each at least a fiftieth of the lines and three of them."""
    common = [(value, times) for value, times in kinds.most_common(3) if times >= max(3, total // 50)]
    if not common or any(len(value) > _LONGEST for value, _ in common):
        return ""
    return f"most frequent {name}: " + " ".join(f"{value}×{times:,}" for value, times in common)
