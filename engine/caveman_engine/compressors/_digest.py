"""What stands out in a run of lines: the analysis that [log] and [terminal] share.

Owns the scores of lines (failure, exit status, totals, rarity, rare values, whole tracebacks, relevance to a
question) and the summary of what was left out. Knows no tool by name and does not detect types.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2

from caveman_engine import facts, markers, selection, signals, templates
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance
from caveman_engine.templates import Template
from caveman_engine.views import Request, View

# A leading time stamp, with or without brackets, day names and fractions; also epoch seconds and dmesg times.
TIMESTAMP = re.compile(
    r"\s*[\[(<]?(?:\d{4}[-/.]\d\d[-/.]\d\d(?:[T ,_]+\d\d:\d\d(?::\d\d)?\S*)?|\d\d[-/.]\d\d[-/.]\d{2,4}[T ]\d\d:\d\d\S*"
    r"|\d{2}[-/]?[A-Z][a-z]{2}[-/]?(?:\d{2,4})?[ :]\d\d:\d\d:\d\d\S*|(?:[A-Z][a-z]{2},? +)?[A-Z][a-z]{2} +\d{1,2},? +(?:\d{4} +)?\d\d:\d\d:\d\d"
    r"(?:[.,]\d+)?(?: \d{4})?|\d\d:\d\d:\d\d(?:[.,]\d+)?|\d{10}(?:\.\d+)?\b|\d{6,8}[ -]\d{4,6}\b|\d+\.\d{4,9}\b|[ \d]{4,}\.\d{6})[\])>]?(?: ?[+-]\d{4}| ?Z| ?UTC)?:?\s*"
)
_FRAME = re.compile(
    r"\s+(?:at\s+\S|File \"|in \S+ \(|\d+: +(?:0x)?\S+|from \S+:\d+|\.\.\. \d+ (?:more|common frames))|\s*Caused by:|\s*Suppressed:"
)
_TRACEBACK = re.compile(r"\s*(?:[|+] ?)*Traceback \(most recent call last\)")
_CHAINED = re.compile(r"\s*(?:During handling of the above|The above exception was)")
_BLOCK = 60  # lines of a traceback that stay together
EXIT, ERROR, TOTAL, TROUBLE, PLAIN, ROUTINE = 9.0, 8.0, 7.0, 4.5, 2.0, 0.2
_LEAST = 1.6  # below this score a line is shown only when a bound asks to be filled


@dataclass(slots=True)
class Digest:
    """The lines with what was found out about them. ``bodies`` are the lines without a common time stamp."""

    lines: Sequence[str]
    bodies: Sequence[str]
    templates: list[Template]
    scores: dict[int, float]
    musts: set[int]


def bodies_of(lines: Sequence[str]) -> Sequence[str]:
    """Take the leading time stamp off when most lines have one."""
    sample = [line for line in lines[:: max(1, len(lines) // 200)] if line.strip()]
    stamped = sum(TIMESTAMP.match(line) is not None for line in sample)
    if stamped < 0.5 * len(sample):
        return lines
    return lines


def digest(lines: Sequence[str], routine: Callable[[str], bool] = signals.is_pass) -> Digest:
    """Analyse lines. ``routine`` tells a line that says only that one step went well."""
    groups = templates.group(lines)
    levels = {form: _level(lines, members, routine) for form, members in groups.items()}
    mined = templates.mine(groups, levels.__getitem__)
    found = Digest(lines, lines, mined, {}, set())
    _score_forms(found, groups, levels)
    _score_rare_values(found)
    _score_blocks(found)
    _score_ends(found)
    return found


def _level(lines: Sequence[str], members: Sequence[int], routine: Callable[[str], bool]) -> float:
    """Give the base score of the lines of one form, by its first line."""
    line = strip_time(lines[members[0]])
    if signals.is_exit(line):
        return EXIT
    failure = signals.failure(line)
    if failure == 3 and not routine(line):
        return ERROR
    if signals.is_total(line) and len(members) <= 40:
        return TOTAL
    if routine(line):
        return ROUTINE
    if failure:
        return TROUBLE
    return PLAIN if line.strip() else 0.0


def strip_time(line: str) -> str:
    """Give a line without its leading time stamp."""
    stamp = TIMESTAMP.match(line)
    return line[stamp.end() :] if stamp and stamp.end() < len(line) else line


def _score_forms(found: Digest, groups: dict[str, list[int]], levels: dict[str, float]) -> None:
    """Score the first line of each form, the further ones of failures and totals, by kind and by rarity."""
    rarity = _rarity([len(members) for form, members in groups.items() if levels[form] > 0], len(found.lines))
    first_of = {template.members[0] for template in found.templates}
    order: Counter[int] = Counter()
    template_of = {member: number for number, t in enumerate(found.templates) for member in t.members}
    for form, members in groups.items():
        base = levels[form]
        if base <= 0:
            continue
        number = template_of[members[0]]
        order[number] += 1
        fall = 1.0 if members[0] in first_of else 1 / (1 + log2(order[number]) / 3)
        bonus = rarity[len(members)] if base >= PLAIN else 0.0
        found.scores[members[0]] = (base + bonus) * fall
        if base in (EXIT, TOTAL):
            seen = {found.lines[members[0]]}
            for step, member in enumerate(members[1:40]):
                if found.lines[member] not in seen:
                    seen.add(found.lines[member])
                    found.scores[member] = base - 0.1 * step
        elif base >= TROUBLE and len(members) > 1:
            found.scores[members[-1]] = base * 0.3
    for members in groups.values():
        if len(members) > 40:
            for first in templates.bursts(members, len(found.lines)):
                found.scores[first] = max(found.scores.get(first, 0.0), PLAIN)


def _rarity(counts: Sequence[int], total: int) -> dict[int, float]:
    """Give, per number of instances, how telling it is to be that rare: bits, 0 to 4.

    Where most lines are unlike any other, being alone says nothing.
    """
    lines_by_count = Counter({count: count * times for count, times in Counter(counts).items()})
    out = {}
    below = 0
    for count in sorted(lines_by_count):
        below += lines_by_count[count]
        out[count] = min(4.0, log2(total / below)) if below < total else 0.0
    return out


def _score_rare_values(found: Digest) -> None:
    """Score the first line of each rare value in a column of few values."""
    for template in found.templates:
        if len(template.members) < 12:
            continue
        lines = [found.lines[member] for member in template.members]
        for values in templates.columns(lines):
            if not templates.is_category(values):
                continue
            _, rare = templates.usual_and_rare(values)
            if not rare or len(rare) > 16:
                continue
            for value, times in rare.items():
                member = template.members[values.index(value)]
                score = 3.5 + min(3.0, log2(len(values) / times) / 3)
                found.scores[member] = max(found.scores.get(member, 0.0), score)


def _score_blocks(found: Digest) -> None:
    """Let the lines of a traceback stand or fall with its exception."""
    for start, stop in tracebacks(found.lines):
        best = max((found.scores.get(i, 0.0) for i in range(start, stop)), default=0.0)
        if best >= TROUBLE:
            for i in range(start, min(stop, start + _BLOCK)):
                found.scores[i] = max(found.scores.get(i, 0.0), best - 2.5)


def tracebacks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield [start, stop) of each run of stack frames with the exception's own lines around it."""
    index, total = 0, len(lines)
    while index < total:
        line = lines[index]
        if _TRACEBACK.match(line):
            start = index
            index += 1
            margin = len(line) - len(line.lstrip())
            while index < total and (
                not lines[index].strip() or len(lines[index]) - len(lines[index].lstrip()) > margin
            ):
                index += 1
            index = min(total, index + 1)
            yield start, index
        elif line[:1] in " \tC" and _FRAME.match(line):
            start = max(0, index - 1)
            while index < total and _FRAME.match(lines[index]):
                index += 1
            yield start, index
        else:
            index += 1


def _score_ends(found: Digest) -> None:
    """Show how the text begins and ends: the command, the last words."""
    filled = [i for i, line in enumerate(found.lines[:50]) if line.strip()][:3]
    for i in filled:
        found.scores[i] = max(found.scores.get(i, 0.0), 5.0)
    last = [
        i for i in range(len(found.lines) - 1, max(-1, len(found.lines) - 60), -1) if found.lines[i].strip()
    ]
    for step, i in enumerate(last[:12]):
        found.scores[i] = max(found.scores.get(i, 0.0), 6.0 - step * 0.4)


def view(payload: Payload, request: Request, found: Digest, *, share: float, method: str) -> View:
    """Make the view of the best lines within the budget, and say what was left out."""
    budget = request.budget
    scores = found.scores
    if request.query:
        scores = _with_question(found, request.query)
    if not request.hard:
        budget = min(budget, max(3000, int(share * sum(map(len, found.lines)))))
        scores = {i: score for i, score in scores.items() if score >= _LEAST}
    summary_budget = budget // 8
    spread = selection.spread({i: s for i, s in scores.items() if s >= ERROR}, 2, len(found.lines), 0.4)
    merged = dict(scores)
    for i, score in spread.items():
        if found.lines[i].strip():
            merged[i] = max(merged.get(i, 0.0), score)
    kept = selection.fill(found.lines, merged, budget - summary_budget)
    shown = markers.keep_lines(payload, kept, method=method)
    said = list(_summary(found, kept, summary_budget, request.query))
    if not said or shown.shown == shown.total:
        return shown
    text = shown.text + "".join(markers.marker(line) for line in said)
    return View(text, False, shown.unit, shown.shown, shown.total, method, shown.markers + len(said))


def _with_question(found: Digest, query: str) -> dict[int, float]:
    """Score by relevance first; signals decide among the rest."""
    matched = relevance(query, found.lines)
    best = max(matched, default=0.0)
    scores = {i: 0.5 * score for i, score in found.scores.items()}
    if best <= 0:
        return scores
    seen: Counter[int] = Counter()
    template_of = {member: number for number, t in enumerate(found.templates) for member in t.members}
    order = sorted((i for i, score in enumerate(matched) if score > 0), key=lambda i: (-matched[i], i))
    for i in order[:2000]:
        number = template_of.get(i, -1)
        fall = 1 / (1 + seen[number] / 4)
        seen[number] += 1
        scores[i] = scores.get(i, 0.0) + 12 * matched[i] / best * fall
    return scores


def _summary(found: Digest, kept: set[int], budget: int, query: str | None) -> Iterator[str]:
    """Say, for the templates with most lines left out, how many and what holds for their values."""
    rows = []
    for template in found.templates:
        left = [member for member in template.members if member not in kept]
        if len(left) >= 8 and template.members[0] in kept:
            rows.append((len(left), template, left))
    if query:
        worth = relevance(query, [found.lines[row[1].members[0]] for row in rows])
        rows = [
            row for _, row in sorted(zip(worth, rows, strict=True), key=lambda pair: (-pair[0], -pair[1][0]))
        ]
    else:
        rows.sort(key=lambda row: -row[0])
    for count, template, left in rows[:10]:
        told = facts_of([found.lines[member] for member in left], template.words)
        line = f"{count:,} of the lines left out are like line {template.members[0] + 1}" + (
            f"; {told}" if told else ""
        )
        budget -= len(line) + 12
        if budget < 0:
            return
        yield line


def facts_of(lines: Sequence[str], form: Sequence[str | None]) -> str:
    """State what holds for the values of equally built lines; most frequent values where they are many."""
    table = {}
    said = []
    names = _names(lines, form)
    for name, values in zip(names, templates.columns(lines), strict=False):
        if len(set(values)) == 1 or not templates.is_category(values) or facts.is_secret(name, values):
            continue
        if len(set(values)) <= 6:
            table[name] = values
            continue
        common = [
            (value, times)
            for value, times in Counter(values).most_common(3)
            if times > 1 and len(value) <= 40
        ]
        if common:
            said.append(f"most frequent {name}: " + " ".join(f"{value}×{times:,}" for value, times in common))
    first = facts.columns(table, 200)
    return "; ".join(([first] if first else []) + said)[:400]


def _names(lines: Sequence[str], form: Sequence[str | None]) -> list[str]:
    """Name each column by the word before it, or by the key that its values carry."""
    names = []
    before = "word"
    for word in templates.words(lines[0]) if lines else []:
        names.append(before)
        before = word.strip(":=")[:24] or "word"
    return names
