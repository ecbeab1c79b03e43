"""The view that [log] and [terminal] share: best lines within a budget, in order, and what was left out.

Owns the spending of the budget and of the time for it; the scores come from `standouts`.
"""

from collections.abc import Callable
from weakref import ref

from caveman_engine import markers, selection
from caveman_engine.compressors.lines import leftout, question, standouts
from caveman_engine.compressors.lines.levels import EXAMPLE, Digest
from caveman_engine.payload import Payload
from caveman_engine.views import Request, View

# Below this score a line stands in a view only to fill a bound; with a question, examples are not asked for.
_LEAST, _LEAST_ASKED = EXAMPLE, 2.0
# Characters that a view without bounds may take: a start, and a share of the source.
_START, _SHARE = 3600, 0.15
# What went wrong or sums up may take more, where there is much of it.
_GRAVE, _GRAVE_SHARE, _GRAVE_MOST = 4.0, 0.12, 12_000
# Shares of the budget for sentences about what was left out, without and with a question.
_TOLD, _TOLD_ASKED = 0.12, 0.2
# Shares of it that go to the question first: when no line holds a word of it, and when one holds all.
_ASKED_LEAST, _ASKED_MOST = 0.35, 0.75


# The last digest of each method, while its payload lives.
_last: dict[str, tuple["ref[Payload]", Digest]] = {}


def once(payload: Payload, method: str, make: Callable[[], Digest]) -> Digest:
    """Give the digest of a payload, made once while the pipeline asks for smaller and smaller views of it."""
    known = _last.get(method)
    if known is not None and known[0]() is payload:
        return known[1]

    def forget(gone: "ref[Payload]") -> None:
        if (kept := _last.get(method)) is not None and kept[0] is gone:
            del _last[method]

    found = make()
    _last[method] = (ref(payload, forget), found)
    return found


def view(payload: Payload, request: Request, found: Digest, method: str) -> View:
    """Make the view of the best lines of a digest."""
    budget, more = _room(request, sum(map(len, found.lines)))
    told = int(budget * (_TOLD_ASKED if request.query else _TOLD))
    kept = markers.standing(payload, _chosen(request, found, budget - told, more))
    said = list(leftout.sentences(payload, found, kept, told, request.query))
    shown = markers.keep_lines(payload, kept, method=method)
    if shown.shown == shown.total:
        return shown
    text = shown.text + "".join(map(markers.marker, said))
    return View(text, False, shown.unit, shown.shown, shown.total, method, shown.markers + len(said))


def _room(request: Request, length: int) -> tuple[int, int]:
    """Give the characters that a view may take, and how many more for what is grave."""
    if request.hard:
        return request.budget, 0
    budget = min(request.budget, _START + int(_SHARE * length))
    return budget, max(0, min(request.budget - budget, _GRAVE_MOST, int(_GRAVE_SHARE * length)))


def _chosen(request: Request, found: Digest, room: int, more: int) -> set[int]:
    """Choose the lines: those that the question asks for, what is grave, then the best of the rest."""
    lines = found.lines
    scores = standouts.with_context(found, found.scores)
    if not request.hard:
        least = _LEAST_ASKED if request.query else _LEAST
        scores = {index: score for index, score in scores.items() if score >= least}
    kept: set[int] = set()
    if request.query:
        asked, covered = question.scores(found, request.query)
        share = _ASKED_LEAST + (_ASKED_MOST - _ASKED_LEAST) * covered
        kept = selection.fill(lines, asked, int(room * share))
    if more:
        grave = {index: score for index, score in scores.items() if score >= _GRAVE}
        kept = selection.fill(lines, grave, room + more, kept)
    kept = selection.fill(lines, scores, room, kept)
    return kept or {0, len(lines) - 1}
