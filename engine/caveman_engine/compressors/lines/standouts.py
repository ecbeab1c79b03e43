"""What stands out among lines: failures, outcomes, rare forms, the ends. Owns the analysis and most scores.

Rare values are `columns`, stack traces `tracebacks`. Knows no tool and no question.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import log2

from caveman_engine import signals, templates
from caveman_engine.compressors.lines import columns, stamps, tracebacks
from caveman_engine.compressors.lines.levels import (
    ERROR,
    EXAMPLE,
    EXIT,
    FAILED_ID,
    PLAIN,
    ROUTINE,
    TOTAL,
    TROUBLE,
    Digest,
)

_REPEATED = 40  # lines of one form that can all be totals
_PLACED = 2.0  # what an error is worth more that says where
_NEXT = 0.05  # what each further one of them is worth less
_FEW_TOTALS = 12  # lines of one template that can be totals
_SAME_AT_END = 3  # last lines that are shown whatever they are
_FALL = 0.4  # how fast further instances of a trouble lose worth
_EVERY = 400  # failing ids, exit statuses and totals of one form that are scored
_AFTER = (0.8, 0.65, 0.5, 0.4, 0.35, 0.3)  # share of an error's score for the lines of its paragraph


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
    found = Digest(lines, groups, levels, mined, {}, set(), set(), {}, set(), stamps.share(lines) >= 0.5)
    _score_forms(found, rarity)
    columns.score(found)
    tracebacks.score(found)
    _score_ends(found)
    return found


def _level(line: str, times: int, weigh: Callable[[str], float | None]) -> float:
    """Give the base score of the lines of one form, by its first line."""
    line = stamps.strip(line)
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
    for number, template in enumerate(found.templates):
        forms = [form_of[member] for member in template.members if member in form_of]
        if not found.levels[forms[0]]:
            continue
        if found.levels[forms[0]] == TOTAL and len(template.members) > _FEW_TOTALS:
            # What sums up every step sums up nothing: the last one may.
            found.levels.update(dict.fromkeys(forms, PLAIN))
            found.raise_to(template.members[-1], TOTAL)
        if found.levels[forms[0]] in (ERROR, TROUBLE):
            found.grave.add(number)
        # The template's first line stands for it; of its other forms the rarest tell most.
        ranked = [forms[0], *sorted(forms[1:], key=lambda form: len(found.groups[form]))]
        for rank, form in enumerate(ranked):
            _score_form(found, form, rarity.get(len(found.groups[form]), 0.0), rank, worth)
        if found.levels[forms[0]] >= PLAIN or len(template.members) > len(found.lines) // 50:
            found.raise_to(template.members[0], EXAMPLE)
        if len(template.members) > _REPEATED:
            for first in templates.bursts(template.members, len(found.lines)):
                found.raise_to(first, PLAIN)


def _score_form(found: Digest, form: str, bits: float, rank: int, worth: float) -> None:
    """Score one form's lines: of ids, exit statuses and totals every different one, else mainly the first."""
    base, members = found.levels[form], found.groups[form]
    if base > ERROR:
        said = {stamps.strip(found.lines[member]): member for member in reversed(members[:_EVERY])}
        for step, member in enumerate(sorted(said.values())):
            found.raise_to(member, base - min(base / 2, _NEXT * step))
    else:
        bonus = 0.0 if base < PLAIN else bits * worth if base < TROUBLE else bits
        if base == ERROR and signals.has_place(stamps.strip(found.lines[members[0]])):
            bonus += _PLACED
        found.raise_to(members[0], (base + bonus) / (1 + log2(1 + rank) / 3))
    if base in (ERROR, TROUBLE):
        _score_instances(found, members, base)
    if base in (ERROR, FAILED_ID):
        found.failures.add(members[0])
    if base == ROUTINE:
        found.routine.update(members)


def _score_instances(found: Digest, members: Sequence[int], base: float) -> None:
    """Score the further lines of an error's form, which differ in numbers: less with each."""
    said = {stamps.strip(found.lines[members[0]])}
    for member in members[1:_EVERY]:
        line = stamps.strip(found.lines[member])
        if line not in said:
            found.raise_to(member, base / (1 + _FALL * log2(1 + len(said))))
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


def _score_ends(found: Digest) -> None:
    """Show how the text begins and how it ends."""
    total = len(found.lines)
    filled = [i for i in range(min(50, total)) if found.lines[i].strip()]
    for i in filled[:3]:
        if found.scores.get(i, 0.0) >= PLAIN:
            found.raise_to(i, 5.0)
    last = [i for i in range(total - 1, max(-1, total - 60), -1) if found.lines[i].strip()]
    for step, i in enumerate(last[:10]):
        # One more line of a form that was shown says where it ended, a tenth says nothing.
        if i not in found.routine and (step < _SAME_AT_END or i in found.scores):
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
