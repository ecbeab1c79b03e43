"""[a11y] Accessibility trees: what ``Accessibility.getFullAXTree`` answers, or a capture of the browser bridge.

Owns which elements of a stored tree are shown. Reading a tree and writing a line are `axtree` and `axline`, shared
with the browser, so that a page reads the same live and from the store. Never detected, only named.
"""

import json
from collections.abc import Callable, Iterator

from caveman_engine import axchoice, axline, axpage, axtree, ranking
from caveman_engine.axline import Line, Shorten
from caveman_engine.markers import marker
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

# With a bound, a text is cut at so many characters.
_LONGEST = 400


def detect(payload: Payload) -> float:
    """Give how sure it is that this is an accessibility tree, by the names that all its nodes have."""
    start = payload.text[:2_000]
    return 0.9 if '"nodeId"' in start and '"role"' in start and '"ignored"' in start else 0.0


def lines(text: str) -> list[Line]:
    """Give the lines of a stored tree; none for what is no tree."""
    try:
        tree = axtree.read(json.loads(text))
    except (ValueError, RecursionError):
        return []
    return axpage.lines(tree.root) if tree else []


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give every element; with a query the elements that answer it; with a bound those that fit."""
    found = lines(payload.text)
    if not found:
        return
    if request.query is not None:
        yield _answer(found, request.query, request)
        return
    text = "".join(line.write() + "\n" for line in found)
    yield View(text, False, "elements", len(found), len(found), "outline")
    if request.hard and len(text) > request.budget:
        shorten = axline.shortener(_LONGEST)
        kept = axchoice.fit(found, axchoice.by_need(found), request.budget, _length(shorten))
        yield _view(found, kept, "budget", shorten)


def _answer(found: list[Line], query: str, request: Request) -> View:
    """Give the elements that answer, best first up to the budget, then the headings; else a first look."""
    shorten = axline.shortener(_LONGEST, query)
    order = axchoice.best_first(ranking.relevance(query, axchoice.searchable(found)))
    note = "" if order else marker("nothing matches the query; this is what the page begins with")
    headings = [at for at, line in enumerate(found) if line.label == "heading"]
    kept = axchoice.fit(
        found, order + headings if order else axchoice.by_need(found), request.budget, _length(shorten)
    )
    kept = sorted({*kept, *axchoice.governing(found, kept)})
    return _view(found, kept, "query", shorten, note)


def _length(shorten: Shorten) -> Callable[[Line], float]:
    return lambda line: len(line.write(shorten=shorten)) + 1


def _view(found: list[Line], kept: list[int], method: str, shorten: Shorten, note: str = "") -> View:
    text = note + axchoice.write_kept(found, kept, axline.no_reference, shorten, gaps=method == "budget")
    return View(text, False, "elements", len(kept), len(found), method, markers=1 if note else 0)


COMPRESSOR = Compressor("a11y", detect, views, named_only=True)
