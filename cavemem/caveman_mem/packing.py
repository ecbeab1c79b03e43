"""A reply inside a budget of tokens: whole facts, passages, ids, and the names of what did not fit.

Knows hits and texts; stores nothing itself: a passage is shown with the handle that ``keep`` gives for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from caveman_mem.errors import BudgetTooSmall
from caveman_mem.hits import Hit, surely_fits
from caveman_mem.passages import passage
from caveman_mem.reply import header, text_reply

# The fewest tokens in which a passage says something; with less a fact is named by its id alone.
_LEAST_PASSAGE = 64
_LEAST_TEXT = 12
_HEADER = 24  # what date, scope and tags add to an id, about


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


@dataclass(frozen=True, slots=True)
class Packing:
    """How facts are fitted into a budget.

    ``count`` counts tokens. ``keep`` stores a fact that is shown in part and gives its handle, or None where
    that is impossible now.
    """

    look: Look
    count: Callable[[str], int]
    keep: Callable[[Hit], str | None]

    def fit(self, hits: Sequence[Hit], budget: int) -> tuple[list[Hit], list[str], str]:
        """Give (hits as shown, ids left out, reply), the reply within ``budget`` tokens; 0 is no limit.

        Raises:
            BudgetTooSmall: not even one id fits.
        """
        reply = self.look.reply(hits, (), 0)
        if surely_fits(hits, reply, budget) or self.count(reply) <= budget:
            return list(hits), [], reply
        shown = self._shared_out(hits, budget)
        while shown:
            omitted = [hit.id for hit in hits[len(shown) :]]
            for named in dict.fromkeys((len(omitted), len(omitted) // 3, 0)):
                reply = self.look.reply(shown, omitted[:named], len(omitted) - named)
                if self.count(reply) <= budget:
                    return shown, omitted, reply
            last = shown.pop()
            if last.text:
                shown.append(last.cut("", None))
        raise BudgetTooSmall(
            f"no reply fits in {budget} tokens", hint="20 tokens name one fact, 200 show one; 0 is unlimited"
        )

    def _shared_out(self, hits: Sequence[Hit], budget: int) -> list[Hit]:
        """Give facts room in rank order: whole if it needs less than a fair share, else a passage or the id."""
        bare = [self._takes(hit.cut("", None)) for hit in hits]
        share = _fair_share(
            [self._cost(hit, name, budget) for hit, name in zip(hits, bare, strict=True)], budget
        )
        if share < _LEAST_PASSAGE:
            share = 2 * _LEAST_PASSAGE  # a flood: the best ones get a passage, the others are named
        left, shown = budget, []
        for hit, name in zip(hits, bare, strict=True):
            room = min(share, left)
            if self._cost(hit, name, budget) <= room:
                shown.append(hit)
            elif room >= _LEAST_PASSAGE:
                shown.append(self._part(hit, room))
            elif name <= left:
                shown.append(hit.cut("", None))
            else:
                break
            left -= self._takes(shown[-1])
        return shown

    def _takes(self, hit: Hit) -> int:
        return self.count(self.look.reply([hit], (), 0))

    def _cost(self, hit: Hit, bare: int, budget: int) -> int:
        """Give a bound on what a fact takes in full; a text that is far too long is not counted."""
        if hit.tokens is None and len(hit.text) > 40 * budget:
            return budget + 1
        return bare + _HEADER + (self.count(hit.text) if hit.tokens is None else hit.tokens)

    def _part(self, hit: Hit, room: int) -> Hit:
        """Show the passage that matches, with its handle, within ``room`` tokens for the whole entry, or the id."""
        handle = self.keep(hit)
        room -= self._takes(hit.cut("…", handle)) + 2
        if room < _LEAST_TEXT:
            return hit.cut("", None)
        # The terms it holds rather than the query: that may be a page long.
        return hit.cut(passage(hit.text, " ".join(hit.matched), room, self.count), handle)


def _fair_share(costs: Sequence[int], budget: int) -> int:
    """Give the largest share with which all facts fit when none takes more than its share."""
    left = budget
    for i, cost in enumerate(sorted(costs)):
        share = left // (len(costs) - i)
        if cost > share:
            return share
        left -= cost
    return budget
