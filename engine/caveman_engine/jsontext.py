"""JSON as text: values that keep their source spelling, and the places where parts stand. Pure; no I/O.

``parse`` gives a tree whose strings are the source characters between the quotes and whose numbers are the
source digits, so that printing it can change neither. ``root``, ``children`` and ``find`` give source offsets
without building a tree, at any depth of nesting. Knows no views.
"""

import gc
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity")
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')
# The C scanner is several times quicker at finding an end, but builds the value: only where that costs little.
_QUICK = 16_000_000
_skip = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode
_KINDS = {'"': "string", "[": "array", "{": "object", "t": "true", "f": "false", "n": "null"}


class Number(str):
    """A number as the source spells it."""

    __slots__ = ()


class Duplicate(ValueError):
    """An object has a key twice, so no mapping can stand for it."""


class Node(NamedTuple):
    """One value's place: ``text[start:end]``; ``key`` is its decoded key or its index, None for a root."""

    kind: str
    start: int
    end: int
    key: str | int | None = None


class Document(NamedTuple):
    """A parsed text: its values one after the other, and how to give their strings their own spelling."""

    values: list[Any]
    spelling: "Spelling"


class Spelling:
    """Escapes that outlive a parse: each backslash pair stands as one private-use character meanwhile.

    With no backslash left, a decoded string is the source's own text, so printing it needs no encoder and
    cannot re-spell an escape.
    """

    def __init__(self, text: str) -> None:
        self._marks: list[str] = []
        if "\\" in text:
            free = (chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
            self._marks = [next(free), next(free), next(free)]

    def hide(self, text: str) -> str:
        r"""Replace ``\\``, ``\"`` and any other backslash, in this order, each by its mark.

        Raises:
            ValueError: a backslash does not begin an escape of JSON.
        """
        hidden = self.hide_any(text)
        if self._marks and re.search(self._marks[2] + r"(?![/bfnrt]|u[0-9a-fA-F]{4})", hidden):
            raise ValueError("not an escape of JSON")
        return hidden

    def hide_any(self, text: str) -> str:
        """Hide the backslashes of a text that is no JSON."""
        if not self._marks:
            return text
        pair, quote, other = self._marks
        return text.replace("\\\\", pair).replace('\\"', quote).replace("\\", other)

    def restore(self, text: str) -> str:
        """Give each mark its escape back."""
        if not self._marks:
            return text
        pair, quote, other = self._marks
        return text.replace(pair, "\\\\").replace(quote, '\\"').replace(other, "\\")


class _Numbers(dict[str, Number]):
    """One object a spelling: large arrays repeat theirs, and a lookup is quicker than a construction."""

    def __missing__(self, text: str) -> Number:
        number = self[text] = Number(text)
        return number


class _Tight(dict[str, str]):
    """Punctuation without white space, each spelling of it worked out once."""

    def __missing__(self, piece: str) -> str:
        tight = self[piece] = "".join(piece.split())
        return tight


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Duplicate
    return members


@contextmanager
def _no_collection() -> Iterator[None]:
    """Hold the cycle collector off: a tree in the making has no cycles, and looking for them takes half the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def parse(text: str, spelling: "Spelling | None" = None) -> Document:
    """Parse one value or several, one after the other (NDJSON, concatenated values).

    ``spelling`` is given when ``text`` is part of a larger one whose parts are printed together.

    Values are dict (in source order), list, str (source characters with escapes hidden, see ``Spelling``),
    ``Number``, True, False and None. ``NaN`` and ``Infinity`` count as numbers: many tools print them.

    Raises:
        Duplicate: an object has a key twice.
        ValueError: not JSON.
        RecursionError: nested deeper than the interpreter allows (about 1,000 levels).
    """
    spelling = spelling or Spelling(text)
    hidden = spelling.hide(text)
    number = _Numbers().__getitem__
    decoder = json.JSONDecoder(
        object_pairs_hook=_unique, parse_int=number, parse_float=number, parse_constant=number
    )
    values = []
    at, end = _space(hidden, 0), len(hidden)
    with _no_collection():
        while at < end:
            value, at = decoder.raw_decode(hidden, at)
            values.append(value)
            at = _space(hidden, at)
    if not values:
        raise ValueError("empty")
    return Document(values, spelling)


def minify(text: str) -> str:
    """Take the white space outside the strings of one value away, at any depth of nesting.

    Raises:
        ValueError: a backslash does not begin an escape of JSON.
    """
    spelling = Spelling(text)
    # Without escapes, every second piece between quotes is outside strings, and those repeat.
    pieces = spelling.hide(text).split('"')
    pieces[::2] = map(_Tight().__getitem__, pieces[::2])
    return spelling.restore('"'.join(pieces))


def root(text: str, start: int = 0) -> Node | None:
    """Give the place of the value that begins at ``start`` or after white space; None where none does."""
    at = _space(text, start)
    end = _end(text, at)
    return None if end is None else Node(_kind(text, at), at, end)


def children(text: str, node: Node) -> Iterator[Node]:
    """Give the direct members or items of a container in source order, duplicates included.

    Ends early where the text is not JSON.
    """
    if node.kind not in {"array", "object"}:
        return
    at, index = _space(text, node.start + 1), 0
    while at < node.end - 1:
        key: str | int = index
        if node.kind == "object":
            found = _STRING.match(text, at)
            if found is None:
                return
            key = json.loads(found[0])
            at = _space(text, found.end())
            if text[at : at + 1] != ":":
                return
            at = _space(text, at + 1)
        end = _end(text, at)
        if end is None:
            return
        yield Node(_kind(text, at), at, end, key)
        at = _space(text, end)
        if text[at : at + 1] != ",":
            return
        at, index = _space(text, at + 1), index + 1


def find(text: str, path: list[str]) -> Node | None:
    """Follow the reference tokens of a JSON Pointer (RFC 6901, unescaped); None where one leads nowhere.

    Of duplicate keys the last one counts, as it does for most readers.
    """
    node = root(text)
    for token in path:
        if node is None:
            return None
        if node.kind == "array" and not re.fullmatch(r"0|[1-9]\d*", token):
            return None
        found = None
        for child in children(text, node):
            if str(child.key) == token:
                found = child
                if node.kind == "array":
                    break
        node = found
    return node


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _kind(text: str, at: int) -> str:
    return _KINDS.get(text[at], "number")


def _end(text: str, at: int) -> int | None:
    """Give the offset behind the value that begins at ``at``, without looking inside a container's parts."""
    first = text[at : at + 1]
    if first == '"':
        found = _STRING.match(text, at)
        return found.end() if found else None
    if first not in {"[", "{"}:
        found = _SCALAR.match(text, at)
        return found.end() if found and found.end() > at else None
    if len(text) <= _QUICK:
        try:
            return _skip(text, at)[1]
        except (ValueError, RecursionError):
            pass
    depth = 0
    for token in _NESTING.finditer(text, at):
        sign = text[token.start()]
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
            if not depth:
                return token.end()
    return None
