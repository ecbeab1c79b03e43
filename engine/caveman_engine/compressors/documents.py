"""[documents] several files in one message, each between its own tags: ``<file path="a.py">`` … ``</file>``.

Owns the cutting and the tags, which always stay. What is inside is left to the other types, each document by itself, so
that no line of one stands under another.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from caveman_engine import payload as payloads
from caveman_engine.markers import is_forged
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_OPEN = re.compile(r"<(file|document|file_content)\b[^<>\n]*>\s*\Z", re.IGNORECASE)
# A view of one document that is this much smaller is taken; its more lossy ones are not asked for.
_ENOUGH = 0.4


class _Piece(NamedTuple):
    """Lines ``first`` to ``last`` (exclusive): the inside of a document, or lines between documents."""

    first: int
    last: int
    inside: bool


def detect(payload: Payload) -> float:
    """Tell two or more closed documents that stand at the top level."""
    return 0.95 if len([piece for piece in _pieces(payload) or () if piece.inside]) > 1 else 0.0


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Yield the documents' own views between their tags."""
    pieces = _pieces(payload)
    if pieces is None:
        return
    parts: list[View] = []
    for piece in pieces:
        text = "".join(map(payload.shown, range(piece.first, piece.last)))
        share = len(text) / max(1, len(payload.text))
        asked = Request(request.query, max(200, int(request.budget * share)), request.hard)
        view = _smaller(text, asked) if piece.inside else None
        if view is None:
            if any(is_forged(payload.shown(index)) for index in range(piece.first, piece.last)):
                return
            view = View(
                text, True, "lines", piece.last - piece.first, piece.last - piece.first, "as it stands"
            )
        parts.append(view)
    yield _joined(parts)


def _pieces(payload: Payload) -> list[_Piece] | None:
    """Cut into documents and what stands between; None when a document is not closed."""
    if len(payload.lines) < 4 or "</" not in payload.text:
        return None
    pieces: list[_Piece] = []
    start = index = 0
    total = len(payload.lines)
    while index < total:
        opened = _OPEN.match(payload.lines[index]) if payload.lines[index].startswith("<") else None
        if opened is None:
            index += 1
            continue
        close = f"</{opened[1].lower()}>"
        last = next((i for i in range(index + 1, total) if payload.lines[i].strip().lower() == close), None)
        if last is None:
            return None
        pieces += [_Piece(start, index + 1, inside=False), _Piece(index + 1, last, inside=True)]
        start = index = last
    return [*pieces, _Piece(start, total, inside=False)]


def _smaller(text: str, request: Request) -> View | None:
    """Give the surest type's first view that is small enough, else its smallest that is smaller at all."""
    from caveman_engine.detect import rank

    look = payloads.from_text(text)
    best: View | None = None
    for view in chain.from_iterable(kind.views(look, request) for _, kind in rank(look)[:1]):
        if len(view.text) < 0.9 * len(text) and (best is None or len(view.text) < len(best.text)):
            best = view
        if best is not None and len(best.text) < _ENOUGH * len(text):
            break
    return best


def _joined(parts: list[View]) -> View:
    units = {part.unit for part in parts if part.method != "as it stands"}
    return View(
        "".join(part.text if part.text.endswith("\n") else part.text + "\n" for part in parts if part.text),
        all(part.lossless for part in parts),
        units.pop() if len(units) == 1 else "units",
        sum(part.shown for part in parts),
        sum(part.total for part in parts),
        "each by itself",
        sum(part.markers for part in parts),
    )


COMPRESSOR = Compressor("documents", detect, views)
