"""A reply inside a budget of tokens: whole facts, passages, ids, and the names of what did not fit.

Knows hits and texts; stores nothing itself: a passage is shown with the handle that ``keep`` gives for it.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from caveman_mem.errors import BudgetTooSmall
from caveman_mem.hits import Hit, surely_fits
from caveman_mem.passages import passage
from caveman_mem.reply import header, text_reply

# The fewest tokens in which a passage says something; with less a fact is named by its id alone.
_LEAST_PASSAGE = 64
_LEAST_TEXT = 12


class Look(Protocol):
    """How a reply is written out: as text or as JSON."""

    def reply(self, hits: Sequence[Hit], omitted: Sequence[str], more: int) -> str:
        """Give the whole reply; ``more`` facts were left out beyond the named ones."""


class TextLook:
    """The reply that a person or an agent reads."""

    def __init__(self, scope: str | None) -> None:
        self._scope = scope

    def reply(self, hits: Sequence[Hit], omitted: Sequence[str], more: int) -> str:
        """Give header lines and texts; what was omitted stands last."""
        return text_reply([(self._header(hit), hit.text) for hit in hits], omitted, more)

    def _header(self, hit: Hit) -> str:
        if hit.whole:
            return header(hit, self._scope)
        if not hit.text:
            return f"[{hit.id}]"
        return header(hit, self._scope, f"part, whole: caveman mem recover {hit.recovery_handle or hit.id}")


def fit(
    hits: Sequence[Hit],
    query: str,
    budget: int,
    look: Look,
    count: Callable[[str], int],
    keep: Callable[[Hit], str | None],
) -> tuple[list[Hit], list[str], str]:
    """Give (hits as shown, ids left out, reply), the reply within ``budget`` tokens; 0 is no limit.

    ``keep`` stores a fact that is shown in part and gives its handle, or None where that is impossible now.

    Raises:
        BudgetTooSmall: not even one id fits.
    """
    reply = look.reply(hits, (), 0)
    if not budget or surely_fits(hits, reply, budget) or count(reply) <= budget:
        return list(hits), [], reply
    shown = _shared_out(hits, query, budget, look, count, keep)
    while True:
        omitted = [hit.id for hit in hits[len(shown) :]]
        for named in dict.fromkeys((len(omitted), len(omitted) // 3, 0)):
            reply = look.reply(shown, omitted[:named], len(omitted) - named)
            if count(reply) <= budget and (shown or not hits):
                return shown, omitted, reply
        if not shown:
            raise BudgetTooSmall(
                f"no reply fits in {budget} tokens",
                hint="20 tokens name one fact, 200 show one; 0 is unlimited",
            )
        if shown[-1].text:
            shown[-1] = shown[-1].cut("", None)
        else:
            shown.pop()


def _shared_out(
    hits: Sequence[Hit],
    query: str,
    budget: int,
    look: Look,
    count: Callable[[str], int],
    keep: Callable[[Hit], str | None],
) -> list[Hit]:
    """Give every fact room in rank order: whole if it needs less than a fair share, else a passage or its id."""
    bare = [count(look.reply([hit.cut("", None)], (), 0)) for hit in hits]
    costs = [_cost(hit, bare[i], budget, count) for i, hit in enumerate(hits)]
    share = _fair_share(costs, budget)
    if share < _LEAST_PASSAGE:
        share = _LEAST_PASSAGE * 2  # a flood: the best ones get a passage, the others are named
    left, shown = budget, []
    for hit, cost, name in zip(hits, costs, bare, strict=True):
        if cost <= min(share, left):
            shown.append(hit)
            left -= cost
        elif min(share, left) >= _LEAST_PASSAGE:
            part = _part(hit, query, min(share, left), look, count, keep)
            left -= count(look.reply([part], (), 0))
            shown.append(part)
        elif left >= name:
            shown.append(hit.cut("", None))
            left -= name
        else:
            break
    return shown


def _cost(hit: Hit, bare: int, budget: int, count: Callable[[str], int]) -> int:
    """Give a bound on what a fact takes in full; a text that is far too long is not counted."""
    if hit.tokens is None and len(hit.text) > 40 * budget:
        return budget + 1
    return bare + 24 + (count(hit.text) if hit.tokens is None else hit.tokens)


def _fair_share(costs: Sequence[int], budget: int) -> int:
    """Give the largest share with which all facts fit when none takes more than its share."""
    left = budget
    for i, cost in enumerate(sorted(costs)):
        share = left // (len(costs) - i)
        if cost > share:
            return share
        left -= cost
    return budget


def _part(
    hit: Hit,
    query: str,
    room: int,
    look: Look,
    count: Callable[[str], int],
    keep: Callable[[Hit], str | None],
) -> Hit:
    """Show the passage that matches, with its handle, within ``room`` tokens for the whole entry, or the id."""
    handle = keep(hit)
    room -= count(look.reply([hit.cut("…", handle)], (), 0)) + 2
    return (
        hit.cut(passage(hit.text, query, room, count), handle) if room >= _LEAST_TEXT else hit.cut("", None)
    )
