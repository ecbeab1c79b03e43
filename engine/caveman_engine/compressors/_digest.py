"""The view that [log] and [terminal] share: best lines within a budget, in order, and what was left out.

Owns the spending of the budget and the weight of a question; the scores come from `_standouts`.
"""

from collections import Counter
from collections.abc import Callable

from caveman_engine import markers, selection
from caveman_engine.compressors import _leftout, _standouts
from caveman_engine.compressors._standouts import Digest
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance
from caveman_engine.views import Request, View

_LEAST = 1.6  # below this score a line stands in a view only to fill a bound
_BASE, _SHARE = 3600, 0.11  # characters that a view without bounds may take: a start and a share of the source
_TOLD = 0.12  # share of the budget for sentences about what was left out
_ASKED = 0.65  # share of the budget that goes to the question first
_RELEVANT = 12.0  # score of the most relevant line


def view(payload: Payload, request: Request, weigh: Callable[[str], float | None], method: str) -> View:
    """Make the view of the best lines. ``weigh`` gives what a line is worth where a tool is known, else None."""
    lines = payload.lines
    found = _standouts.digest(lines, weigh)
    budget = request.budget
    scores = _standouts.with_context(found, found.scores)
    if not request.hard:
        budget = min(budget, _BASE + int(_SHARE * sum(map(len, lines))))
        scores = {i: score for i, score in scores.items() if score >= _LEAST}
    told = int(budget * _TOLD)
    kept: set[int] = set()
    if request.query:
        asked = _relevant(found, request.query)
        kept = selection.fill(lines, asked, int((budget - told) * _ASKED))
    kept = selection.fill(lines, scores, budget - told, kept)
    if not kept and not request.query:
        kept = {0, len(lines) - 1}
    shown = markers.keep_lines(payload, kept, method=method)
    if shown.shown == shown.total:
        return shown
    said = [markers.marker(s) for s in _leftout.sentences(lines, found.templates, kept, told, request.query)]
    text = shown.text + "".join(said)
    return View(text, False, shown.unit, shown.shown, shown.total, method, shown.markers + len(said))


def _relevant(found: Digest, query: str) -> dict[int, float]:
    """Score the lines that match the question; of many of one form the first and the rarest come first."""
    matched = relevance(query, found.lines)
    best = max(matched, default=0.0)
    if best <= 0:
        return {}
    template_of = {member: number for number, t in enumerate(found.templates) for member in t.members}
    hits = sorted((i for i, score in enumerate(matched) if score > 0.25 * best), key=lambda i: (-matched[i], i))
    seen: Counter[int] = Counter()
    asked = {}
    for i in hits[:3000]:
        number = template_of.get(i, -1)
        asked[i] = _RELEVANT * matched[i] / best / (1 + seen[number] / 4) + 0.3 * found.scores.get(i, 0.0)
        seen[number] += 1
    return _standouts.with_context(found, asked)
