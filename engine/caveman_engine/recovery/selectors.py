"""Cutting the selected part out of an original: source bytes, never a re-spelling.

Owns what a selector means for content. Must never know a store. `byte=` is not here: the store reads only the
chunks it needs.
"""

import re
from itertools import islice

from caveman_engine import jsontext, payload
from caveman_engine.errors import SelectorMismatch, SelectorNotFound
from caveman_engine.recovery.pointers import Bytes, JsonPart, Lines, Rows, Selector
from caveman_engine.units.table import row_starts, sniff

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_SOLID = re.compile(r"[^ \t\r\n]")


def select(original: bytes, selector: Selector, *, where: str) -> bytes:
    """Give the selected part, byte for byte as it stands in the original.

    A row selection includes the header, as RFC 7111 counts it: row 1. A JSON text of several values (NDJSON)
    is pointed into as if they were one array.

    Raises:
        SelectorNotFound: there is no such part. SelectorMismatch: the content has no such parts at all.
    """
    if isinstance(selector, Bytes):
        if selector.start >= len(original):
            raise _missing(where, f"it has {len(original):,} bytes")
        return original[selector.start : selector.end]
    if payload.is_binary(original):
        raise SelectorMismatch("the original is no text: only byte=a,b selects in it", where=where)
    text, encoding = _exact(original)
    if isinstance(selector, Lines):
        part = _lines(text, selector, where)
    elif isinstance(selector, Rows):
        part = _rows(text, selector, where)
    else:
        part = _value(text, selector, where)
    return part.encode(encoding, "surrogateescape")


def _exact(original: bytes) -> tuple[str, str]:
    """Decode so that encoding any part gives its own bytes back, whatever they are."""
    encoding = payload.decode(original[:65536])[1]
    if encoding.startswith("utf-16"):
        if encoding == "utf-16":
            encoding = "utf-16-le" if original[:1] == b"\xff" else "utf-16-be"
        try:
            return original.decode(encoding), encoding
        except UnicodeDecodeError:
            pass
    return original.decode("utf-8", "surrogateescape"), "utf-8"


def _lines(text: str, asked: Lines, where: str) -> str:
    ends = [found.end() for found in islice(_LINE.finditer(text), asked.end) if found.end() > found.start()]
    if asked.start >= len(ends):
        raise _missing(where, f"it has {len(ends):,} lines")
    start = ends[asked.start - 1] if asked.start else 0
    return text[start : ends[-1]]


def _rows(text: str, asked: Rows, where: str) -> str:
    delimiter = sniff(text)
    if delimiter is None:
        raise SelectorMismatch("the original is no table: row= selects nothing in it", where=where)
    starts = row_starts(text, delimiter)
    if asked.start > len(starts):
        raise _missing(where, f"it has {len(starts):,} rows, the header included")
    ends = [*starts[1:], len(text)]
    last = len(starts) if asked.end is None else min(asked.end, len(starts))
    header = text[starts[0] : ends[0]] if asked.start > 1 else ""
    return header + text[starts[asked.start - 1] : ends[last - 1]]


def _value(text: str, asked: JsonPart, where: str) -> str:
    body = text.removeprefix("\ufeff")
    roots = _roots(body)
    if not roots:
        raise SelectorMismatch("the original is no JSON: a JSON pointer selects nothing in it", where=where)
    path = list(asked.path)
    if len(roots) > 1:
        index = path.pop(0)
        if not (index.isascii() and index.isdigit()) or int(index) >= len(roots):
            raise _missing(where, f"it holds {len(roots):,} values, counted from 0")
        body = body[slice(*roots[int(index)])]
    found = jsontext.find(body, path)
    if found is None:
        raise _missing(where, "no such member or item")
    return body[found.start : found.end]


def _roots(text: str) -> list[tuple[int, int]]:
    """Give where each top-level value stands; empty where the text is no JSON."""
    spans: list[tuple[int, int]] = []
    at = 0
    while rest := _SOLID.search(text, at):
        node = jsontext.root(text, rest.start())
        if node is None:
            return []
        spans.append((node.start, node.end))
        at = node.end
    return spans


def _missing(where: str, what: str) -> SelectorNotFound:
    return SelectorNotFound(f"nothing is selected: {what}", where=where)
