"""What the agent is given of a page: the whole, what fits a budget, or what answers a query.

Owns the choice of lines, the notes in the page's line and the footer. The form of a line is the engine's `axline`;
references are `refs`'. Knows neither Chrome nor the store: a handle comes in as text.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from caveman_browser import query as queries
from caveman_browser.refs import RefMap
from caveman_browser.snapshot import Capture
from caveman_engine import axchoice, axline, axpage, tokens
from caveman_engine.axline import Line, Shorten, quote
from caveman_engine.axnode import Node

# Under a bound, a text is cut at so many characters: the rest is one `--max-tokens 0` away.
LONGEST_TEXT = 400
# A matched part of a longer item or field group brings the rest of it along, up to so many lines.
WHOLE = 15
# What the footer takes at most, and what is taken off a budget that was passed, in tokens.
_FOOTER, _SPARE = 60, 20
_HINTS = 12
# As long as the references that a measured line will have.
_MEASURED = "e1000"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A view. ``refs``: what each reference in it names. ``matches``: lines that answer the query (None: no query).

    ``shown`` of ``total`` lines stand in ``text``.
    """

    text: str
    url: str
    title: str
    refs: dict[str, dict[str, str]]
    shown: int
    total: int
    matches: int | None
    hidden: int
    stripped: int

    def as_dict(self) -> dict[str, Any]:
        """Give the view as ``--json`` and MCP show it."""
        return {
            "url": self.url,
            "title": self.title,
            "text": self.text,
            "refs": self.refs,
            "shown": self.shown,
            "total": self.total,
            "matches": self.matches,
            "hidden": self.hidden,
            "stripped": self.stripped,
        }


class _Naming:
    """Gives references as lines are written and remembers which."""

    def __init__(self, refs: RefMap, capture: Capture) -> None:
        self._refs = refs
        self._capture = capture
        self.given: dict[str, dict[str, str]] = {}

    def __call__(self, node: Node) -> str:
        if node.frame not in self._capture.frames:
            return ""
        found = self._refs.assign(self._capture, node)
        self.given[found.ref] = {"role": found.role, "name": found.name}
        return found.ref


def render(
    capture: Capture,
    refs: RefMap,
    *,
    query: str | None = None,
    max_tokens: int = 2000,
    asked_url: str | None = None,
    handle: str | None = None,
    settled: bool = True,
) -> Rendered:
    """Give the view of a capture.

    ``max_tokens`` 0: no bound. ``asked_url``: the address that the page was opened by; the view names its own when
    that is another. ``handle``: where the capture was stored; it stands in the view when something was left out.
    Raises `BadQuery`.
    """
    found = axpage.lines(capture.tree.root)
    matched: list[int] | None = None
    if query and query.strip():
        matched = queries.matches(queries.parse(query), found, axchoice.searchable(found))
    page = _Page(found, matched, query or "")
    head = _head(capture, asked_url, settled=settled) + "\n"
    budget = max_tokens - cost(head) - _FOOTER if max_tokens else float("inf")
    while True:
        naming = _Naming(refs, capture)
        kept, shorten, body = page.body(max(budget, 1), naming)
        text = head + body + _pictures(capture, found)
        shown = len(kept) + 1
        unshown = len(set(matched or ()) - set(kept))
        text += _footer(len(found) - shown, unshown, _count_cut(found, kept, shorten), handle)
        over = tokens.count(text) - max_tokens if max_tokens else 0
        if over <= 0 or budget <= 1:
            break
        # What gaps cost is known only once they are there.
        budget -= over + _SPARE
    counts = (shown, len(found), None if matched is None else len(matched))
    return Rendered(
        text, capture.url, capture.title, naming.given, *counts, capture.tree.hidden, capture.tree.stripped
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """The lines of a page and what is asked of them."""

    found: Sequence[Line]
    matched: Sequence[int] | None
    query: str

    def body(self, budget: float, naming: _Naming) -> tuple[list[int], Shorten | None, str]:
        """Give the lines to show below the page's own within ``budget`` tokens, how they are cut, and their text.

        Texts are cut only when not all that is asked for fits whole.
        """
        shorten = axline.shortener(LONGEST_TEXT, self.query)
        if self.matched is None:
            everything = range(1, len(self.found))
            if self._is_within(budget):
                return self._written(everything, None, naming)
            return self._written(self._fit(axchoice.by_need(self.found), budget, shorten), shorten, naming)
        if not self.matched:
            kept = self._fit(self._signposts(), budget - cost(self.query), shorten)
            kept, _, text = self._written(kept, shorten, naming)
            return (
                kept,
                shorten,
                f"no match for {quote(self.query)}{'; the page has' if kept else ''}\n{text}",
            )
        order = [each for at in self.matched for each in (at, *_whole(self.found, at))]
        kept = self._fit(order, budget, None)
        if set(order) <= set(kept) and budget > 1:
            return self._written({*kept, *axchoice.governing(self.found, kept)}, None, naming)
        kept = self._fit(order, budget, shorten)
        return self._written({*kept, *axchoice.governing(self.found, kept)}, shorten, naming)

    def _written(
        self, lines: Iterable[int], shorten: Shorten | None, naming: _Naming
    ) -> tuple[list[int], Shorten | None, str]:
        kept = sorted({*lines} - {0})
        gaps = self.matched is None and len(kept) + 1 < len(self.found)
        return kept, shorten, axchoice.write_kept(self.found, kept, naming, shorten, gaps=gaps)

    def _fit(self, order: Sequence[int], budget: float, shorten: Shorten | None) -> list[int]:
        return axchoice.fit(self.found, order, budget, price(shorten)) if order else []

    def _is_within(self, budget: float) -> bool:
        """Tell whether all lines fit, without counting more than needed."""
        measure, spent = price(None), 0.0
        for line in self.found[1:]:
            spent += measure(line)
            if spent > budget:
                return False
        return True

    def _signposts(self) -> list[int]:
        """Give the headings and landmarks of a page that does not answer."""
        signs = ("heading", *axpage.LANDMARKS)
        return [at for at in range(1, len(self.found)) if self.found[at].label in signs][:_HINTS]


def _whole(found: Sequence[Line], at: int) -> list[int]:
    """Give the rest of the item or group of fields that a line stands in, when that is not long."""
    top = at
    while top > 0 and not (found[top].kind == "item" or found[top].label in ("group", "radiogroup", "row")):
        top = found[top].up
    if top <= 0:
        return []
    end = top + 1
    while end < len(found) and found[end].depth > found[top].depth:
        end += 1
    return [each for each in range(top, end) if each != at] if end - top <= WHOLE else []


def _head(capture: Capture, asked: str | None, *, settled: bool) -> str:
    """Write the page's own line."""
    notes = [f"hidden: {capture.tree.hidden}"] if capture.tree.hidden else []
    notes += [f"stripped: {capture.tree.stripped}"] if capture.tree.stripped else []
    notes += [] if settled else ["not settled"]
    head = Node("page", capture.title, states=notes)
    head.url = "" if asked is not None and _same_address(asked, capture.url) else capture.url
    return axline.element(head, axline.no_reference, axline.shortener(LONGEST_TEXT))


def _same_address(one: str, other: str) -> bool:
    return one.partition("#")[0].rstrip("/") == other.partition("#")[0].rstrip("/")


def _pictures(capture: Capture, found: Sequence[Line]) -> str:
    """Say of a page that is all canvas why there is nothing to read."""
    count = capture.tree.pictures
    if not count or len(found) > 1:
        return ""
    return f"{count} canvas{'es' * (count > 1)}, no readable text: a screenshot shows what is drawn\n"


def _count_cut(found: Sequence[Line], kept: Sequence[int], shorten: Shorten | None) -> int:
    """Count the lines that are not written whole."""
    if shorten is None:
        return 0
    return sum(found[at].write(shorten=shorten) != found[at].write() for at in kept)


def _footer(left_out: int, unshown: int, cut: int, handle: str | None) -> str:
    """Say what is not in the view and where it is; nothing when nothing is missing."""
    counts = [f"{unshown:,} more match{'es' * (unshown > 1)}"] if unshown else []
    counts += [f"{left_out:,} more line{'s' * (left_out > 1)}"] if left_out else []
    counts += [f"{cut:,} cut"] if cut else []
    return f"[caveman: {', '.join(counts)}: {handle or 'not stored'}]\n" if counts else ""


def price(shorten: Shorten | None) -> Callable[[Line], float]:
    """Give the function that measures a line, references and all, in tokens."""
    return lambda line: cost(line.write(lambda _: _MEASURED, shorten)) + 1


@lru_cache(maxsize=20_000)
def cost(text: str) -> int:
    """Give the tokens of a text."""
    return tokens.count(text)
