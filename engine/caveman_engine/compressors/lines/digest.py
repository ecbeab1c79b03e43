"""The view that [log] and [terminal] share: best lines within a budget, in order, and what was left out.

Owns the spending of the budget and the weight of a question; the scores come from `standouts`.
"""

from caveman_engine import markers, selection
from caveman_engine.compressors.lines import leftout, question, standouts
from caveman_engine.compressors.lines.levels import EXAMPLE, Digest
from caveman_engine.payload import Payload
from caveman_engine.views import Request, View

# Below this score a line stands in a view only to fill a bound; with a question, examples are not asked for.
_LEAST, _LEAST_ASKED = EXAMPLE, 2.0
_BASE, _SHARE = (
    3600,
    0.11,
)  # characters that a view without bounds may take: a start and a share of the source
# What went wrong or sums up may take more, where there is much of it.
_GRAVE, _GRAVE_SHARE, _GRAVE_MOST = 4.0, 0.12, 9_000
_TOLD = 0.12  # share of the budget for sentences about what was left out
_TOLD_ASKED = 0.2  # the same with a question
# Share of the budget that goes to the question first: when no line holds a word of it, and when one holds all.
_ASKED_LEAST, _ASKED_MOST = 0.35, 0.75


def view(payload: Payload, request: Request, found: Digest, method: str) -> View:
    """Make the view of the best lines of a digest."""
    lines = payload.lines
    budget = request.budget
    scores = standouts.with_context(found, found.scores)
    more = 0
    if not request.hard:
        length = sum(map(len, lines))
        budget = min(budget, _BASE + int(_SHARE * length))
        more = min(request.budget - budget, _GRAVE_MOST, int(_GRAVE_SHARE * length))
        scores = {
            i: score for i, score in scores.items() if score >= (_LEAST_ASKED if request.query else _LEAST)
        }
    told = int(budget * (_TOLD_ASKED if request.query else _TOLD))
    kept: set[int] = set()
    if request.query:
        asked, covered = question.scores(found, request.query)
        share = _ASKED_LEAST + (_ASKED_MOST - _ASKED_LEAST) * covered
        kept = selection.fill(lines, asked, int((budget - told) * share))
    if more > 0:
        grave = {i: score for i, score in scores.items() if score >= _GRAVE}
        kept = selection.fill(lines, grave, budget + more - told, kept)
    kept = selection.fill(lines, scores, budget - told, kept)
    if not kept and not request.query:
        kept = {0, len(lines) - 1}
    kept = markers.standing(payload, kept)
    shown = markers.keep_lines(payload, kept, method=method)
    if shown.shown == shown.total:
        return shown
    said = [markers.marker(s) for s in leftout.sentences(payload, found, kept, told, request.query)]
    text = shown.text + "".join(said)
    return View(text, False, shown.unit, shown.shown, shown.total, method, shown.markers + len(said))
