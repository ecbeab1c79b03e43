"""Which blocks of a text to show within a length. Owns headings as context, nearness and the filling of a budget.

A passage is a block that is shown or left out as a whole. Those that answer a question are ranked by their own
words, those of the headings above and those of their neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from caveman_engine.compressors import _wording
from caveman_engine.views import Request

# A question about a text of ordinary size deserves this many characters of answer, in a script of letters.
_ANSWER = 9_000
# But no more than this share of it: the rest would be what was not asked for.
_SHARE = 0.5
# What the headings above add to a passage's score, and what a neighbour does.
_ABOVE, _BESIDE = 0.4, 0.35
# The outline may take this share of the budget.
_OUTLINE = 0.25
_MARKER = 40


@dataclass(frozen=True, slots=True)
class Passage:
    """``level`` is a heading's (0: none), ``needs`` a passage that gives it sense (-1: none).

    ``prior`` is its worth before any question: those with the greatest are shown first.
    """

    text: str
    level: int = 0
    needs: int = -1
    prior: float = 0.0


def answer_length(request: Request, text: str) -> int:
    """Give the characters that a view with a question may take: less where a character is a word."""
    if request.hard:
        return request.budget
    sample = text[:20_000]
    wide = sum(char > "\u0250" for char in sample) / max(1, len(sample))
    return max(request.budget, int(min(_ANSWER / (1 + 2 * wide), _SHARE * len(text))))


def choose(
    passages: Sequence[Passage], query: str | None, budget: int, asked: Sequence[int] = ()
) -> set[int]:
    """Give the passages to show: those ``asked`` for, then the best for the question, or by their prior.

    Each comes with the headings above it and what it needs.
    """
    above = _headings_above(passages)
    scores = _scores(passages, above, query) if query else [0.0] * len(passages)
    chosen: set[int] = set()
    left = budget
    if query:
        outline = [i for i, passage in enumerate(passages) if passage.level]
        if sum(len(passages[i].text) + 1 for i in outline) <= _OUTLINE * budget:
            chosen.update(outline)
            left -= sum(len(passages[i].text) + 1 for i in outline)
    order = sorted(range(len(passages)), key=lambda i: (-scores[i], -passages[i].prior, i))
    for i in [*asked, *order]:
        if i in chosen:
            continue
        new = [j for j in _with_needs(passages, above, i) if j not in chosen]
        beside = i - 1 in chosen or i + 1 in chosen
        cost = sum(len(passages[j].text) + 1 for j in new) + (0 if beside else _MARKER)
        if cost <= left:
            chosen.update(new)
            left -= cost
        if left < _MARKER:
            break
    return chosen


def _headings_above(passages: Sequence[Passage]) -> list[int]:
    """Give for each passage the heading it stands under, or -1."""
    open_headings: list[int] = []
    above = []
    for i, passage in enumerate(passages):
        while passage.level and open_headings and passages[open_headings[-1]].level >= passage.level:
            open_headings.pop()
        above.append(open_headings[-1] if open_headings else -1)
        if passage.level:
            open_headings.append(i)
    return above


def _with_needs(passages: Sequence[Passage], above: Sequence[int], i: int) -> list[int]:
    found = [i]
    for start in (above[i], passages[i].needs):
        j = start
        while j >= 0 and j not in found:
            found.append(j)
            j = above[j] if passages[j].level else passages[j].needs
    return found


def _scores(passages: Sequence[Passage], above: Sequence[int], query: str) -> list[float]:
    """Score by own words, the words of the two nearest headings, and the neighbours' own words."""
    own = _wording.relevance(query, [passage.text for passage in passages])
    scores = []
    for i, passage in enumerate(passages):
        score = own[i]
        one = above[i]
        two = above[one] if one >= 0 else -1
        score += _ABOVE * (own[one] if one >= 0 else 0) + _ABOVE**2 * (own[two] if two >= 0 else 0)
        near = [own[j] for j in (i - 1, i + 1) if 0 <= j < len(own) and not passages[j].level]
        if passage.needs >= 0:
            near.append(own[passage.needs])
        scores.append(score + _BESIDE * max(near, default=0.0))
    return scores
