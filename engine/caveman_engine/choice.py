"""Which candidate view is shown. Owns the budget a view gets and the constants of the trade.

Knows views and a way to measure them; not the store, not the content types.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from caveman_engine.markers import line_starts
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

# A lossless view that saves this share is good enough: docs/decisions/008.
ENOUGH = 0.70
# A lossy view must be this much smaller than the lossless one, or the input, to be worth the loss.
WORTH_LOSS = 0.85
# A view without max_tokens: a share of the source, between two bounds, in characters.
SHARE, FEWEST, MOST = 0.40, 12_000, 60_000
# But all of a text is not a view of it, unless it is this short.
LARGEST_SHARE, SHORT = 0.50, 4_000
# The same with a query: the reader has said what counts.
QUERY_SHARE, QUERY_FEWEST, QUERY_MOST = 0.12, 2_400, 9_000
# A text that lost this much by being read has colour codes or redraws in it, or long characters.
_CLEANED = 0.95
# A bound that is still passed is asked for again, smaller, this often.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Measured:
    """A view, who made it, and its tokens as published."""

    view: View
    compressor: Compressor
    tokens: int


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a view may be: in characters for the compressor, in tokens for the gate (None: no bound)."""

    request: Request
    tokens_before: int
    max_tokens: int | None

    @classmethod
    def of(cls, length: int, tokens: int, query: str | None, max_tokens: int | None) -> "Budget":
        """Set the budget for a text of ``length`` characters and ``tokens`` tokens."""
        if max_tokens:
            characters = int(max_tokens * length / max(1, tokens) * 0.9)
            return cls(Request(query, max(200, characters), hard=True), tokens, max_tokens)
        share, fewest, most = (QUERY_SHARE, QUERY_FEWEST, QUERY_MOST) if query else (SHARE, FEWEST, MOST)
        wish = min(most, max(fewest, int(length * share)))
        return cls(Request(query, min(wish, max(SHORT, int(length * LARGEST_SHARE)))), tokens, None)

    def fits(self, tokens: int) -> bool:
        """Tell whether the bound holds."""
        return self.max_tokens is None or tokens <= self.max_tokens


def best(
    look: Payload,
    candidates: Sequence[Compressor],
    budget: Budget,
    *,
    measure: Callable[[View], int],
    lossy: bool,
    late: Callable[[], bool],
    sure: bool = False,
) -> Measured | None:
    """Give the view to show, or None. The surest type that has a view decides.

    A later type wins only with a lossless view that is smaller, or when no earlier one fits the bound. Where the
    first type is ``sure``, a later one leaves something out only for a bound: it does not know what counts.
    """
    chosen: Measured | None = None
    for compressor in candidates:
        if late() or (budget.max_tokens and chosen is not None and budget.fits(chosen.tokens)):
            break  # a bound that holds needs no further type
        may_lose = lossy and not (sure and compressor is not candidates[0] and budget.max_tokens is None)
        found = _of_one(look, compressor, budget, measure, may_lose)
        if found is None or not _is_worth(found, budget):
            continue
        if chosen is None or _beats(found, chosen, budget):
            chosen = found
    if chosen is None and candidates and len(look.text) < _CLEANED * len(look.raw):
        found = next(_measured([_plain(look)], candidates[0], measure, lossy=False), None)
        return found if found and _is_worth(found, budget) else None
    return chosen


def _is_worth(found: Measured, budget: Budget) -> bool:
    """Tell a view that is smaller than the input; and by enough, if it leaves something out without need.

    A type that is never detected was asked for by its name: what it does is wanted.
    """
    wanted = found.view.lossless or found.compressor.named_only
    needless = not wanted and budget.fits(budget.tokens_before)
    return found.tokens < budget.tokens_before * (WORTH_LOSS if needless else 1)


def _plain(look: Payload) -> View:
    """Give the text as it is once colour codes and redraws are gone."""
    total = len(look.lines)
    return View("".join(map(look.shown, range(total))), True, "lines", total, total, "plain")


def _beats(found: Measured, chosen: Measured, budget: Budget) -> bool:
    if budget.fits(found.tokens) != budget.fits(chosen.tokens):
        return budget.fits(found.tokens)
    return found.view.lossless and found.tokens < chosen.tokens


def _of_one(
    look: Payload, compressor: Compressor, budget: Budget, measure: Callable[[View], int], lossy: bool
) -> Measured | None:
    """Give one compressor's best view within the bound, else its smallest."""
    request = budget.request
    smallest: Measured | None = None
    for _ in range(ATTEMPTS):
        views = compressor.views(look, request)
        found = _trade(_measured(views, compressor, measure, lossy=lossy), budget)
        if found is None:
            return smallest
        if smallest is None or found.tokens < smallest.tokens:
            smallest = found
        if budget.fits(found.tokens) or budget.max_tokens is None:
            return found
        shrink = min(0.8, 0.95 * budget.max_tokens / found.tokens)
        request = Request(request.query, max(100, int(request.budget * shrink)), hard=True)
    return smallest


def _measured(
    views: Iterable[View], compressor: Compressor, measure: Callable[[View], int], *, lossy: bool
) -> Iterator[Measured]:
    for view in views:
        if (lossy or view.lossless) and is_honest(view):
            yield Measured(view, compressor, measure(view))


def _trade(views: Iterator[Measured], budget: Budget) -> Measured | None:
    """Take the most faithful view that is good enough; weigh a lossy one against the lossless one."""
    chosen: Measured | None = None
    for found in views:
        if chosen is None or not budget.fits(chosen.tokens):
            chosen = found if chosen is None or found.tokens < chosen.tokens else chosen
        elif found.tokens <= WORTH_LOSS * chosen.tokens or (
            found.view.lossless and found.tokens < chosen.tokens
        ):
            chosen = found
        saved = 1 - chosen.tokens / budget.tokens_before
        if budget.fits(chosen.tokens) and saved >= ENOUGH and budget.request.query is None:
            break
    return chosen


def is_honest(view: View) -> bool:
    """Tell a view whose counts can be true and whose marker lines are all its own."""
    if not 0 <= view.shown <= view.total or (view.lossless and view.shown != view.total):
        return False
    return line_starts(view.text) == view.markers
