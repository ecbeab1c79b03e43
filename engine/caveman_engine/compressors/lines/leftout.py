"""What is said about the lines that a view leaves out: how many are like a shown one, and their values.

Owns the sentences; each is true of all the lines that it counts. Knows nothing of scores.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import log2

from caveman_engine import facts, templates
from caveman_engine.compressors.lines import stamps
from caveman_engine.compressors.lines.levels import Digest
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance

AROUND = 12  # characters around a sentence in its marker
_MOST_TEMPLATES = 10
_FEWEST, _FEWEST_GRAVE = 5, 2  # lines left out of a template that are worth a sentence
_GRAVER = 3  # weight of what went wrong when there is no room for all sentences
_FEW_KINDS = 6  # values of a column that are all enumerated
_LONGEST = 36  # characters of a value that is repeated in a fact


def sentences(
    payload: Payload, found: Digest, kept: Collection[int], budget: int, query: str | None
) -> Iterator[str]:
    """Yield a sentence a template, those with most lines left out first (with a query the most relevant)."""
    rows = []
    for number, template in enumerate(found.templates):
        shown = next((member for member in template.members if member in kept), None)
        left = len(template.members) - sum(member in kept for member in template.members)
        if (
            left >= (_FEWEST_GRAVE if number in found.grave else _FEWEST)
            and shown is not None
            and found.lines[shown].strip()
        ):
            rows.append((left, number, shown))
    rows.sort(key=lambda row: -row[0] * (_GRAVER if row[1] in found.grave else 1))
    if query:
        worth = relevance(query, [found.lines[shown] for _, _, shown in rows])
        order = sorted(range(len(rows)), key=lambda i: -worth[i] * log2(rows[i][0]))
        rows = [rows[i] for i in order]
    for left, number, shown in rows[:_MOST_TEMPLATES]:
        told = values(found, number, kept)
        if not told and len(rows) == 1:
            return  # the gaps have said as much
        sentence = f"{left:,} more like line {payload.number(shown)}{_period(found, number, kept)}"
        sentence += f"; {told}" if told else ""
        budget -= len(sentence) + AROUND
        if budget < 0:
            return
        yield sentence


def _period(found: Digest, number: int, kept: Collection[int]) -> str:
    """Say from when to when something went wrong, as the first and the last line left out spell it."""
    if not found.stamped or number not in found.grave:
        return ""
    left = [member for member in found.templates[number].members if member not in kept]
    first, last = stamps.of(found.lines[left[0]]), stamps.of(found.lines[left[-1]])
    return f", {first} to {last}" if first and last and first != last else ""


def values(found: Digest, number: int, kept: Collection[int]) -> str:
    """State what the words of a template's left-out lines are: few kinds with counts, else the most frequent."""
    members = found.templates[number].members
    stamp = stamps.STAMP.match(found.lines[members[0]])
    skipped = len(templates.words(stamp[0])) if stamp else 0
    table: dict[str, Sequence[str]] = {}
    frequent = []
    for column in found.columns.get(number, ()):
        if column.position < skipped:
            continue
        left = [value for member, value in zip(members, column.values, strict=True) if member not in kept]
        before = column.before[:24] if column.before.isalpha() else f"word {column.position + 1}"
        name, left = _named(before, left)
        kinds = Counter(left)
        if len(kinds) < 2 or facts.is_secret(name, left):
            continue
        if len(kinds) <= _FEW_KINDS:
            table[name] = left
        elif said := _most_frequent(name, kinds, len(left)):
            frequent.append(said)
    first = facts.columns(table, 200)
    return "; ".join(([first] if first else []) + frequent[:3])


def _named(name: str, column: list[str]) -> tuple[str, list[str]]:
    """Name a column by the key that all its values carry (``user=``), else as given."""
    key, sign, _ = column[0].partition("=")
    if sign and all(value.startswith(key + "=") for value in column):
        return key, [value[len(key) + 1 :] for value in column]
    return name, column


def _most_frequent(name: str, kinds: Counter[str], total: int) -> str:
    """Name the leaders of a column when they lead: each at least a fiftieth of the lines and three of them."""
    common = [(value, times) for value, times in kinds.most_common(3) if times >= max(3, total // 50)]
    if not common or any(len(value) > _LONGEST for value, _ in common):
        return ""
    return f"most frequent {name}: " + " ".join(f"{value}×{times:,}" for value, times in common)
