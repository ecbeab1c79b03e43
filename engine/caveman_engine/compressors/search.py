"""[search-result] grep, ripgrep, git grep, lists of paths: each path once, its hits under it.

Owns detection and the two layouts: grouped (nothing lost, can be taken apart again) and selected (the hits that
answer the question, that are rare, and one a file; counts for the rest). Parsing is `_hits`.
"""

import re
from collections.abc import Iterator, Sequence

from caveman_engine import markers, templates
from caveman_engine.compressors import _hits, _hits_selected
from caveman_engine.compressors._hits import Hit
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_ALIKE = 0.25  # share of different hits below which they are much alike
_LISTED = {"bare": 0.85, "paths": 0.85, "alone": 0.7, "": 0.0}  # forms that name no line, or no file
_SMALL = 60_000  # characters up to which all hits are shown, unless they are much alike


def detect(payload: Payload) -> float:
    """Score by the share of lines that name a file and a place in it."""
    if payload.gutters or len(payload.lines) < 4:
        return 0.0
    name, share = _hits.form(payload.lines)
    if name == "json":
        return 0.97
    if name in ("numbered", "heading"):
        return 0.95 if share >= 0.8 else (0.6 if share >= 0.6 else 0.25 * share)
    return _LISTED[name] if share >= 0.8 else 0.5 * share


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Yield the grouped view, then a selection."""
    name, share = _hits.form(payload.lines)
    if payload.gutters or share < 0.5:
        return
    hits = _hits.from_json(payload.lines) or [] if name == "json" else _hits.parse(payload.lines, name)
    # Under a heading the rest of a hit begins a line.
    forged = any(map(markers.is_forged, payload.lines)) or any(markers.is_forged(hit.rest) for hit in hits)
    if len(hits) < 4 or forged:
        return
    length = len(payload.text)
    if name in ("numbered", "bare", "paths"):
        whole = grouped(payload, hits)
        yield whole
        length = len(whole.text)
    alike = len(templates.group([hit.text for hit in hits])) < _ALIKE * len(hits)
    if name == "json" or request.query or request.hard or length > _SMALL or alike:
        least = _SMALL if name == "json" and not alike else 0  # its records are most of its length
        yield _hits_selected.selected(payload, hits, request, name, least)


def grouped(payload: Payload, hits: Sequence[Hit]) -> View:
    """Lay out consecutive hits of one file under its path: ``path (n)``, then n lines ``12:text``.

    Separators ("--") inside stay; a single hit and any other line stay as they are, so the input can be rebuilt.
    """
    by_index = {hit.index: hit for hit in hits}
    parts: list[str] = []
    run: list[int] = []

    def close() -> None:
        tail = []
        while run and run[-1] not in by_index:
            tail.append(run.pop())
        count = sum(index in by_index for index in run)
        if count > 1:
            first = by_index[run[0]]
            parts.append(_hits.heading(first.path, first.glue, count) + payload.ends[first.index])
            parts.extend(
                (by_index[i].rest if i in by_index else payload.lines[i]) + payload.ends[i] for i in run
            )
        else:
            parts.extend(payload.shown(i) for i in run)
        parts.extend(payload.shown(i) for i in reversed(tail))
        run.clear()

    for index, line in enumerate(payload.lines):
        hit = by_index.get(index)
        if hit is None and line == "--" and run:
            run.append(index)
        elif hit is None:
            close()
            parts.append(payload.shown(index))
        else:
            if run and by_index[run[0]].path != hit.path:
                close()
            run.append(index)
    close()
    total = len(payload.lines)
    # A line that is no hit but begins like one under a heading could not be told from it.
    clear = not any(re.match(r"\d+[:-]", line) for i, line in enumerate(payload.lines) if i not in by_index)
    return View("".join(parts), clear, "lines", total, total, "grouped")


COMPRESSOR = Compressor("search-result", detect, views)
