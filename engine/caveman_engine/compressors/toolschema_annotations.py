"""[toolschema-annotations] Tool catalogues without the annotations of their schemas; only when named.

``title``, ``examples``, ``$schema`` and ``deprecated`` are cut out of schemas as spans of the source: every other
character stays, white space included.
"""

from collections.abc import Iterator

from caveman_engine import jsontext
from caveman_engine.compressors import _catalogue, toolschema
from caveman_engine.jsontext import Node
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_MOST_NODES = 1_000_000


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the source without annotations."""
    del request  # the same view for every request
    if not toolschema.detect(payload):
        return
    text = payload.text
    spans, total = _annotations(text)
    if not spans:
        return
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    kept = "".join([*parts, text[at:]])
    yield View(
        kept, lossless=False, unit="members", shown=total - len(spans), total=total, method="annotations"
    )


def _annotations(text: str) -> tuple[list[tuple[int, int]], int]:
    """Give the spans to cut, in order, each with one comma, and the number of members of all objects."""
    root = jsontext.root(text)
    stack: list[tuple[Node, str]] = [(root, "outside")] if root else []
    spans: list[tuple[int, int]] = []
    total = 0
    while stack and total < _MOST_NODES:
        node, place = stack.pop()
        members = list(jsontext.children(text, node))
        total += len(members) if node.kind == "object" else 0
        cut = [
            place == "schema" and node.kind == "object" and member.key in _catalogue.ANNOTATIONS
            for member in members
        ]
        spans.extend(_spans(text, node, members, cut))
        stack.extend(
            (member, _below(place, member.key)) for member, gone in zip(members, cut, strict=True) if not gone
        )
    return sorted(spans), total


def _below(place: str, key: str | int | None) -> str:
    """Say what a member's value is: a schema, a map of named schemas, data, or outside of schemas."""
    if place == "outside":
        return "schema" if key in _catalogue.SCHEMAS else "outside"
    if place == "data" or (place == "schema" and key in _catalogue.DATA):
        return "data"
    return "names" if place == "schema" and key in _catalogue.NAMED_SCHEMAS else "schema"


def _spans(text: str, node: Node, members: list[Node], cut: list[bool]) -> Iterator[tuple[int, int]]:
    """Give the span of each member to cut: from where the one before ends, or up to where the next begins."""
    starts = [_start(text, node, members, i) for i in range(len(members))]
    kept_before = False
    for i, member in enumerate(members):
        if not cut[i]:
            kept_before = True
        elif kept_before:
            yield members[i - 1].end, member.end
        else:
            yield starts[i], starts[i + 1] if i + 1 < len(members) else member.end


def _start(text: str, node: Node, members: list[Node], i: int) -> int:
    """Find where a member's key begins."""
    after = members[i - 1].end if i else node.start
    return text.index('"', after) if node.kind == "object" else members[i].start


COMPRESSOR = Compressor("toolschema-annotations", toolschema.detect, views, named_only=True)
