"""Units of JSON: the records of each array, and the members of the objects around them, as source slices."""

import json
import re

from caveman_engine.units.shape import Units

_SPACE = re.compile(r"[ \t\r\n]*")
_LARGE = 32_768  # characters: a record beyond that is looked into
_SMALL_OBJECT = 2000  # an object inside objects is one unit up to this size
_SMALL_ARRAY = 200  # and so is an array

# The C scanner finds the end of a value quickest. Numbers stay text: no digits limit, no rounding.
_decode = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode


def records(text: str) -> Units | None:
    """Make the units of one JSON value or of several one after the other (NDJSON); None where it is no JSON."""
    try:
        splitter = _Splitter(text)
        splitter.document()
    except (ValueError, RecursionError):
        return None
    pointers = splitter.pointers

    def place(first: int, last: int) -> str:
        return pointers[first] if first == last else f"{pointers[first]} to {pointers[last]}"

    return Units(
        "records",
        text,
        splitter.starts,
        splitter.ends,
        lambda first, last: pointers[first],  # noqa: ARG005 - a JSON pointer names one value
        place,
        lambda: _outline(pointers),
    )


def _outline(pointers: list[str]) -> list[str]:
    """Give each container with the number of its units: ``/items/* (400)``."""
    counts: dict[str, int] = {}
    for pointer in pointers:
        head, _, tail = pointer.rpartition("/")
        name = f"{head}/*" if tail.isdigit() else pointer
        counts[name] = counts.get(name, 0) + 1
    return [f"{name} ({count:,})" if count > 1 else name for name, count in counts.items()]


class _Splitter:
    """Walks one text. ``starts``, ``ends`` and ``pointers`` grow together, a unit at a time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.pointers: list[str] = []

    def document(self) -> None:
        """Split the whole text; one value is looked into, several are records."""
        at = self._skip(0)
        end, _ = self._value(at, "")
        end = self._skip(end)
        if end == len(self._text):
            return
        self._forget(0)
        index = 0
        while at < len(self._text):
            at = self._skip(self._record(at, f"/{index}"))
            index += 1

    def _value(self, at: int, pointer: str) -> tuple[int, bool]:
        """Split one value; give its end, and whether it may yet become part of a larger unit."""
        kind = self._text[at : at + 1]
        if kind == "[":
            return self._array(at, pointer)
        if kind == "{":
            return self._object(at, pointer)
        end = _decode(self._text, at)[1]
        self._add(at, end, pointer)
        return end, True

    def _array(self, begin: int, pointer: str) -> tuple[int, bool]:
        at, index = self._skip(begin + 1), 0
        while not self._is(at, "]"):
            if index:
                at = self._past(at, ",")
            at = self._skip(self._record(at, f"{pointer}/{index}"))
            index += 1
        return at + 1, at + 1 - begin <= _SMALL_ARRAY

    def _record(self, at: int, pointer: str) -> int:
        """Make one element a unit, or look into it when it is very large."""
        end = _decode(self._text, at)[1]
        if end - at <= _LARGE or self._text[at] not in "[{":
            self._add(at, end, pointer)
            return end
        return self._value(at, pointer)[0]

    def _object(self, begin: int, pointer: str) -> tuple[int, bool]:
        at, simple, first = self._skip(begin + 1), True, True
        while not self._is(at, "}"):
            if not first:
                at = self._past(at, ",")
            first = False
            at, plain = self._member(at, pointer)
            simple = simple and plain
        return at + 1, simple and at + 1 - begin <= _SMALL_OBJECT

    def _member(self, begin: int, pointer: str) -> tuple[int, bool]:
        """Split one member; a small one is a unit as it stands, key included."""
        if not self._is(begin, '"'):
            raise ValueError("a key is missing")
        key, at = _decode(self._text, begin)
        at = self._past(self._skip(at), ":")
        mark, name = len(self.starts), f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        end, simple = self._value(at, name)
        if simple:
            self._forget(mark)
            self._add(begin, end, name)
        return self._skip(end), simple

    def _add(self, start: int, end: int, pointer: str) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.pointers.append(pointer)

    def _forget(self, mark: int) -> None:
        del self.starts[mark:], self.ends[mark:], self.pointers[mark:]

    def _is(self, at: int, sign: str) -> bool:
        if at >= len(self._text):
            raise ValueError("the text ends inside a value")
        return self._text[at] == sign

    def _past(self, at: int, sign: str) -> int:
        if not self._is(at, sign):
            raise ValueError(f"no {sign}")
        return self._skip(at + 1)

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at
