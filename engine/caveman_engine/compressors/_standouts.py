"""What stands out among lines: rare forms, rare and extreme values, tracebacks, the ends. Owns the scores.

A score says how much a reader would miss the line: 0 to about 12. Works on a `Digest` that other functions have
filled; knows no tool and no question.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from caveman_engine import signals, templates
from caveman_engine.compressors import _stamps
from caveman_engine.templates import Template

EXAMPLE = 1.8  # the first line of any template: what the lines left out are like
# Of forms above ERROR every different line is scored, of the others the first.
FAILED_ID, EXIT, TOTAL, ERROR, TROUBLE, PLAIN, ROUTINE = 10.0, 10.5, 8.5, 7.0, 4.5, 2.0, 0.2
_FRAME = re.compile(
    r"\s+(?:at\s+\S|File \"|in \S+ \(|from \S+:\d+|\.\.\. \d+ (?:more|common frames))|\s*(?:Caused by|Suppressed): "
)
_TRACEBACK = re.compile(r"[\s|+]*Traceback \(most recent call last\)")
_BLOCK = 60  # lines of one traceback that stay together
_REPEATED = 40  # lines of one form that can all be totals
_FEWEST, _COMPARABLE = 5, 12  # instances whose words are kept by column, and from which one can stand out
_SAMPLE = 400  # instances by which columns worth a full look are told
_RARE_KINDS = 16  # more rare values than that in a column are no exceptions
_PLACED = 2.0  # what an error is worth more that says where
_NEXT = 0.05  # what each further one of them is worth less
_FEW_TOTALS = 12  # lines of one template that can be totals
_EVERY = 400  # failing ids, exit statuses and totals of one form that are scored
_AFTER = (0.8, 0.65, 0.5, 0.4, 0.35, 0.3)  # share of an error's score for the lines of its paragraph
_QUANTITY = re.compile(
    r"\(?(\d+(?:[.,]\d+)?)(k|[kKMGT]i?B|B|bytes|ns|us|µs|ms|s|sec|seconds|m|min|%)\b[)\],;]*\Z"
)
_UNITS = {
    "k": 1e3,
    "kB": 1e3,
    "KB": 1e3,
    "KiB": 1024,
    "MB": 1e6,
    "MiB": 2**20,
    "GB": 1e9,
    "GiB": 2**30,
    "TB": 1e12,
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "ms": 1e-3,
    "m": 60,
    "min": 60,
}


@dataclass(frozen=True, slots=True)
class Column:
    """Words at one place in all lines of a template, few different ones; ``before``: the word that precedes them."""

    position: int
    before: str
    values: list[str]


@dataclass(slots=True)
class Digest:
    """Lines, their templates, and scores by line index.

    ``failures`` are lines that say what failed, ``routine`` those of steps that went well; ``stamped``: most
    lines begin with a time; ``columns`` by the number of the template.
    """

    lines: Sequence[str]
    groups: dict[str, list[int]]
    levels: dict[str, float]
    templates: list[Template]
    scores: dict[int, float]
    failures: set[int]
    routine: set[int]
    columns: dict[int, list[Column]]
    stamped: bool

    def raise_to(self, index: int, score: float) -> None:
        """Score a line at least ``score``."""
        if score > self.scores.get(index, 0.0):
            self.scores[index] = score


def digest(
    lines: Sequence[str], weigh: Callable[[str], float | None] = lambda _: None, rarity: float = 1.0
) -> Digest:
    """Analyse lines.

    ``weigh`` may know better than the general signals what one line is worth; ``rarity`` is the worth of a bit
    of it in a line that signals nothing.
    """
    groups = templates.group(lines)
    levels = {form: _level(lines[members[0]], len(members), weigh) for form, members in groups.items()}
    mined = templates.mine(groups, levels.__getitem__)
    found = Digest(lines, groups, levels, mined, {}, set(), set(), {}, _stamps.share(lines) >= 0.5)
    _score_forms(found, rarity)
    _score_columns(found)
    _score_tracebacks(found)
    _score_ends(found)
    return found


def _level(line: str, times: int, weigh: Callable[[str], float | None]) -> float:
    """Give the base score of the lines of one form, by its first line."""
    line = _stamps.strip(line)
    if not line.strip():
        return 0.0
    known = weigh(line)
    if known is not None:
        return known
    if signals.is_exit(line):
        return TROUBLE if signals.is_clean_exit(line) else EXIT
    if signals.is_pass(line):
        return ROUTINE
    failure = signals.failure(line)
    if failure == 3:
        return ERROR
    if signals.is_total(line) and times <= _REPEATED:
        return TOTAL
    return TROUBLE if failure else PLAIN


def _score_forms(found: Digest, worth: float) -> None:
    """Score the lines of each form by kind and rarity, falling with its rank in its template."""
    rarity = _rarity({form: len(members) for form, members in found.groups.items() if found.levels[form] > 0})
    form_of = {members[0]: form for form, members in found.groups.items()}
    for template in found.templates:
        forms = [form_of[member] for member in template.members if member in form_of]
        if not found.levels[forms[0]]:
            continue
        if found.levels[forms[0]] == TOTAL and len(template.members) > _FEW_TOTALS:
            # What sums up every step sums up nothing: the last one may.
            found.levels.update(dict.fromkeys(forms, PLAIN))
            found.raise_to(template.members[-1], TOTAL)
        # The template's first line stands for it; of its other forms the rarest tell most.
        ranked = [forms[0], *sorted(forms[1:], key=lambda form: len(found.groups[form]))]
        for rank, form in enumerate(ranked):
            _score_form(found, form, rarity.get(len(found.groups[form]), 0.0), rank, worth)
        if found.levels[forms[0]] != ROUTINE or len(template.members) > len(found.lines) // 50:
            found.raise_to(template.members[0], EXAMPLE)
        if len(template.members) > _REPEATED:
            for first in templates.bursts(template.members, len(found.lines)):
                found.raise_to(first, PLAIN)


def _score_form(found: Digest, form: str, bits: float, rank: int, worth: float) -> None:
    """Score one form's lines: of ids, exit statuses and totals every different one, else mainly the first."""
    base, members = found.levels[form], found.groups[form]
    if base > ERROR:
        said = {_stamps.strip(found.lines[member]): member for member in reversed(members[:_EVERY])}
        for step, member in enumerate(sorted(said.values())):
            found.raise_to(member, base - min(base / 2, _NEXT * step))
    else:
        bonus = 0.0 if base < PLAIN else bits * worth if base < TROUBLE else bits
        if base == ERROR and signals.has_place(_stamps.strip(found.lines[members[0]])):
            bonus += _PLACED
        found.raise_to(members[0], (base + bonus) / (1 + log2(1 + rank) / 3))
    if base == ERROR:
        _score_instances(found, members, base)
    if base in (ERROR, FAILED_ID):
        found.failures.add(members[0])
    if base == ROUTINE:
        found.routine.update(members)


def _score_instances(found: Digest, members: Sequence[int], base: float) -> None:
    """Score the further lines of an error's form, which differ in numbers: less with each."""
    said = {_stamps.strip(found.lines[members[0]])}
    for member in members[1:_EVERY]:
        line = _stamps.strip(found.lines[member])
        if line not in said:
            found.raise_to(member, base / (1 + log2(1 + len(said))))
            said.add(line)


def _rarity(counts: Mapping[str, int]) -> dict[int, float]:
    """Give, per number of instances, how telling it is to be that rare: bits, 0 to 4.

    Where most lines are unlike any other, being alone says nothing.
    """
    total = sum(counts.values())
    below = 0
    out = {}
    for count, times in sorted(Counter(counts.values()).items()):
        below += count * times
        out[count] = min(4.0, log2(total / below))
    return out


def _score_columns(found: Digest) -> None:
    """Score the first line of each rare value in a column of few values, and the largest quantity of a column."""
    for number, template in enumerate(found.templates):
        members = template.members
        if len(members) < _FEWEST:
            continue
        lines = [found.lines[member] for member in members]
        sample = templates.columns(lines[:: max(1, len(lines) // _SAMPLE)])
        few = [position for position, values in sample.items() if templates.is_category(values)]
        amounts = [position for position in sample if _is_quantity(sample, position)]
        wanted = {*few, *amounts, *(position + 1 for position in amounts if position + 1 in sample)}
        table = templates.columns(lines, sorted(wanted))
        if not table:
            continue
        found.columns[number] = [
            Column(position, sample[position - 1][0] if position else "", table[position]) for position in few
        ]
        if len(members) >= _COMPARABLE:
            for position in amounts:
                largest = _largest(table[position], table.get(position + 1, ()))
                found.raise_to(members[largest], PLAIN + 1)
            _score_rare_values(found, members, found.columns[number])


def _score_rare_values(found: Digest, members: Sequence[int], columns: Sequence[Column]) -> None:
    for column in columns:
        _, rare = templates.usual_and_rare(column.values)
        for value, times in rare.items() if len(rare) <= _RARE_KINDS else ():
            score = 3.5 + min(3.0, log2(len(members) / times) / 3)
            found.raise_to(members[column.values.index(value)], score)


def _is_quantity(table: Mapping[int, Sequence[str]], position: int) -> bool:
    """Tell a column of quantities: a number with its unit in it, or in the next column."""
    value = table[position][0]
    following = table.get(position + 1)
    return _QUANTITY.match(value) is not None or (
        following is not None and _QUANTITY.match(value + following[0]) is not None
    )


def _largest(values: Sequence[str], units: Sequence[str]) -> int:
    """Find the largest of a column of quantities."""
    if units and not _QUANTITY.match(values[0]):
        values = [value + unit for value, unit in zip(values, units, strict=True)]
    parsed = [_QUANTITY.match(value) for value in values]
    amounts = [float(p[1].replace(",", ".")) * _UNITS.get(p[2], 1) if p is not None else 0.0 for p in parsed]
    return amounts.index(max(amounts))


def _score_tracebacks(found: Digest) -> None:
    """Let the lines of a traceback stand or fall with its exception."""
    for start, stop in tracebacks(found.lines):
        best = max((found.scores.get(i, 0.0) for i in range(start, stop)), default=0.0)
        if best >= TROUBLE:
            for i in range(start, min(stop, start + _BLOCK)):
                found.raise_to(i, best - 2.5)


def tracebacks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield [start, stop) of each run of stack frames with the exception's own lines around it."""
    index, total = 0, len(lines)
    while index < total:
        line = lines[index]
        start = index
        if _TRACEBACK.match(line):
            margin = _indent(line)
            index += 1
            while index < total and lines[index].strip() and _indent(lines[index]) > margin:
                index += 1
            index = min(total, index + 1)
            yield start, index
        elif line[:1] in " \tCS" and _FRAME.match(line):
            while index < total and _FRAME.match(lines[index]):
                index += 1
            yield max(0, start - 1), index
        else:
            index += 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _score_ends(found: Digest) -> None:
    """Show how the text begins and how it ends."""
    total = len(found.lines)
    filled = [i for i in range(min(50, total)) if found.lines[i].strip()]
    for i in filled[:3]:
        if found.scores.get(i, 0.0) >= PLAIN:
            found.raise_to(i, 5.0)
    last = [i for i in range(total - 1, max(-1, total - 60), -1) if found.lines[i].strip()]
    for step, i in enumerate(last[:10]):
        if i not in found.routine:
            found.raise_to(i, 6.0 - step * 0.5)
    if found.routine:  # how far it got
        found.raise_to(max(found.routine), EXAMPLE)


def with_context(found: Digest, scores: Mapping[int, float]) -> dict[int, float]:
    """Give the lines of an error's paragraph a share of its score; in a stamped log only the very neighbours."""
    out = dict(scores)
    after = _AFTER[:1] if found.stamped else _AFTER
    for index, score in scores.items():
        if index not in found.failures or score < TROUBLE:
            continue
        for step, share in enumerate(after, 1):
            at = index + step
            if at >= len(found.lines) or not found.lines[at].strip() or at in found.routine:
                break
            out[at] = max(out.get(at, 0.0), score * share * (0.5 if found.stamped else 1.0))
        before = index - 1
        if before >= 0 and found.lines[before].strip() and before not in found.routine:
            out[before] = max(out.get(before, 0.0), score * 0.35)
    return out
