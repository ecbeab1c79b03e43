"""The view that [log] and [terminal] share: best lines within a budget, in order, and what was left out.

Owns the spending of the budget and of the time for it; the scores come from `standouts`.
"""

from collections.abc import Callable
from weakref import ref

from caveman_engine import markers, selection
from caveman_engine.compressors.lines import leftout, question, stamps, standouts
from caveman_engine.compressors.lines.levels import EXAMPLE, NEVER, Digest
from caveman_engine.payload import Payload
from caveman_engine.views import Request, View

# Below this score a line stands in a view only to fill a bound; with a question, examples are not asked for.
_LEAST, _LEAST_ASKED = EXAMPLE, 2.0
# Share of the source up to which whole kinds of lines are added.
_WHOLE = 0.2
# Characters that sentences leave over which are worth choosing lines again.
_WORTH_MORE = 200
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
    told = int(request.budget * (_TOLD_ASKED if request.query else _TOLD))
    kept, said = _within(payload, request, found, told)
    spare = told - sum(len(sentence) + leftout.AROUND for sentence in said)
    if spare > _WORTH_MORE:  # what the sentences did not need
        kept, said = _within(payload, request, found, told - spare)
    shown = markers.keep_lines(payload, kept, method=method)
    if shown.shown == shown.total:
        return shown
    text = shown.text + "".join(map(markers.marker, said))
    return View(text, False, shown.unit, shown.shown, shown.total, method, shown.markers + len(said))


def _within(payload: Payload, request: Request, found: Digest, told: int) -> tuple[set[int], list[str]]:
    """Choose lines, and sentences of ``told`` characters about the others."""
    kept = markers.standing(payload, _chosen(request, found, request.budget - told))
    return kept, list(leftout.sentences(payload, found, kept, told, request.query))


def _chosen(request: Request, found: Digest, room: int) -> set[int]:
    """Choose the lines: those that the question asks for, the best of the rest, then whole kinds of lines."""
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
    kept = selection.fill(lines, scores, room, kept)
    if not request.query:
        kept = _with_whole_kinds(found, kept, room)
    return kept or {0, len(lines) - 1}


def _with_whole_kinds(found: Digest, kept: set[int], room: int) -> set[int]:
    """Add all the lines of a template, the rarest templates first, while a whole one fits.

    Where all lines of a kind are shown, a reader knows that there are no more of it. What is shown is not repeated.
    """
    room = min(room, int(_WHOLE * sum(map(len, found.lines))))
    left = room - selection.cost(found.lines, kept)
    telling = [
        template for template in found.templates if any(map(str.isalnum, found.lines[template.members[0]]))
    ]
    added = set(kept)
    said = {stamps.strip(found.lines[index]) for index in kept}
    for template in sorted(telling, key=lambda template: len(template.members)):
        if len(template.members) > left:
            break
        missing = [
            index
            for index in template.members
            if index not in added
            and found.scores.get(index) != NEVER
            and stamps.strip(found.lines[index]) not in said
        ]
        cost = selection.cost(found.lines, missing, added)
        if cost <= left:
            added.update(missing)
            left -= cost
    return added
