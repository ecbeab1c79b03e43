"""What the agent is given of a page: the whole, what fits a budget, or what answers a query.

Owns the choice of lines, the notes in the page's line and the footer. The form of a line is the engine's `axview`;
references are `refs`'. Knows neither Chrome nor the store: a handle comes in as text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from caveman_browser import query as queries
from caveman_browser.refs import RefMap
from caveman_browser.snapshot import Capture
from caveman_engine import axchoice, axview, tokens
from caveman_engine.axnode import Node
from caveman_engine.axview import Line, quote

# Under a bound, a text is cut at so many characters: the rest is one `--max-tokens 0` away.
LONGEST_TEXT = 400
# A matched part of a longer item or field group brings the rest of it along, up to so many lines.
WHOLE = 15
# What the footer and the page's own line may take of a budget, in tokens.
_RESERVED = 60
_HINTS = 12


@dataclass(frozen=True, slots=True)
class Rendered:
    """A view. ``refs``: what each reference in it names. ``matches``: lines that answer the query (None: no query).

    ``shown`` of ``total`` lines stand in ``text``; ``is_partial`` says that something was left out.
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

    @property
    def is_partial(self) -> bool:
        """Tell whether lines were left out."""
        return self.shown < self.total

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
    found = axview.lines(capture.tree.root)
    naming = _Naming(refs, capture)
    budget = max(40, max_tokens - _RESERVED) if max_tokens else float("inf")
    longest = LONGEST_TEXT if max_tokens else None
    matched: list[int] | None = None
    if query and query.strip():
        matched = queries.matches(queries.parse(query), found, axchoice.searchable(found))
        body, kept = _answer(found, matched, query, budget, longest, naming)
    elif max_tokens:
        body, kept = _overview(found, budget, longest, naming)
    else:
        kept = list(range(1, len(found)))
        body = axchoice.write_kept(found, kept, naming, longest, gaps=False)
    text = _head(capture, asked_url, settled=settled) + "\n" + body + _pictures(capture, found)
    shown = len(kept) + 1
    if shown < len(found):
        unshown = len(set(matched or ()) - set(kept))
        text += _footer(len(found) - shown, unshown, handle) + "\n"
    return Rendered(
        text,
        capture.url,
        capture.title,
        naming.given,
        shown,
        len(found),
        None if matched is None else len(matched),
        capture.tree.hidden,
        capture.tree.stripped,
    )


def _overview(
    found: Sequence[Line], budget: float, longest: int | None, naming: _Naming
) -> tuple[str, list[int]]:
    """Give everything when it fits, else what a first look needs, with what is missing named in its place."""
    everything = list(range(1, len(found)))
    if _fits(found, budget, longest):
        return axchoice.write_kept(found, everything, naming, longest, gaps=False), everything
    # Gaps cost too: about one line in six is one.
    kept = axchoice.fit(found, axchoice.by_need(found), budget * 0.85, cost, longest)
    kept = [at for at in kept if at]
    return axchoice.write_kept(found, kept, naming, longest, gaps=True), kept


def _fits(found: Sequence[Line], budget: float, longest: int | None) -> bool:
    """Tell whether all lines fit, without counting more than needed."""
    spent = 0.0
    for line in found:
        spent += cost(line.write(longest=longest)) + 1
        if spent > budget:
            return False
    return True


def _answer(
    found: Sequence[Line],
    matched: Sequence[int],
    query: str,
    budget: float,
    longest: int | None,
    naming: _Naming,
) -> tuple[str, list[int]]:
    """Give what answers, with what it stands in; without an answer, what there is instead."""
    if not matched:
        hints = [at for at in range(1, len(found)) if found[at].label in ("heading", *axview.LANDMARKS)][
            :_HINTS
        ]
        kept = axchoice.fit(found, hints, budget, cost, longest) if hints else []
        kept = [at for at in kept if at]
        note = f"no match for {quote(query)}" + ("; the page has\n" if kept else "\n")
        return note + axchoice.write_kept(found, kept, naming, longest, gaps=False), kept
    order = [each for at in matched for each in (at, *_whole(found, at))]
    kept = axchoice.fit(found, order, budget, cost, longest)
    kept = sorted({*kept, *axchoice.governing(found, kept)} - {0})
    return axchoice.write_kept(found, kept, naming, longest, gaps=False), kept


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
    return axview.element(head, axview.no_reference, LONGEST_TEXT)


def _same_address(one: str, other: str) -> bool:
    return one.partition("#")[0].rstrip("/") == other.partition("#")[0].rstrip("/")


def _pictures(capture: Capture, found: Sequence[Line]) -> str:
    """Say of a page that is all canvas why there is nothing to read."""
    count = capture.tree.pictures
    if not count or len(found) > 1:
        return ""
    return f"{count} canvas{'es' * (count > 1)}, no readable text: a screenshot shows what is drawn\n"


def _footer(left_out: int, unshown: int, handle: str | None) -> str:
    """Say how many matches and lines are not in the view, and where they are."""
    counts = [f"{unshown:,} more match{'es' * (unshown > 1)}"] if unshown else []
    counts.append(f"{left_out:,} more line{'s' * (left_out > 1)}")
    return f"[caveman: {', '.join(counts)}: {handle or 'not stored'}]"


@lru_cache(maxsize=20_000)
def cost(text: str) -> int:
    """Give the tokens of a line."""
    return tokens.count(text)
