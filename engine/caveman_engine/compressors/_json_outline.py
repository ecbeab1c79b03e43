"""A JSON value within a number of characters: what is kept, what is cut, and how a cut reads.

A container that does not fit gives each part an equal share (a short part passes on what it does not need), or
with a query the parts that answer it theirs first. ``…`` outside quotes stands where something is left out and is
followed by how much. Records become a table: all rows with the light columns when that fits, otherwise the rows
that stand out, numbered, with facts about the others. Owns the syntax of an outline; knows no lines or payloads.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from caveman_engine import jsontext
from caveman_engine.compressors._json_records import ABSENT, Table, body, spell, tabulate
from caveman_engine.compressors._json_selection import WIDEST, Choice, Selection, listed
from caveman_engine.jsontext import Number, Spelling
from caveman_engine.ranking import relevance

_SAMPLE = 1_000  # items that are measured of a long list
_SHORT = 64  # a string or number up to this length is never cut
_WORTH_CUT = 40  # what is said about a cut must be shorter than what is cut
_LEAST = 28  # a part of a container gets so much or only its name
_CHUNK = 400  # what is ranked as one unit for a query
_RECORD = 8_000  # the same for an item of a list of records
_MOST_PLACES = 32  # of lists that make the rows of a table
_TABLE_GAIN = 5  # a table is hardly ever shorter than a fifth of its minified JSON
_BLOB = re.compile(r"[A-Za-z0-9+/=_-]{80,}\Z")
_ADDRESS = re.compile(r"\w+://[^/]+(?:/[^/?#{]+){0,3}")


class Outline:
    """One outline in the making. ``shown`` counts the scalars and empty containers that stand in it whole.

    ``rows`` counts the items of the list ``root`` that stand in it with all their columns, when it became a table.
    """

    def __init__(self, root: Any, spelling: Spelling, query: str | None) -> None:
        self.shown = 0
        self.rows = 0
        self.root = root
        self._spelling = spelling
        self._query = query
        self._sizes: dict[int, int] = {}
        self._scores: dict[tuple[int, str | int], float] = {}
        self._seen: dict[str, str] = {}

    def rank(self) -> None:
        """Score every part of the root, a container, for the query; parts not ranked count as 0."""
        units: list[str] = []
        ranges: list[tuple[int, str | int, int, int]] = []
        self._walk(self.root, "", units, ranges)
        scores = relevance(self._query or "", units)
        for container, key, first, last in ranges:
            self._scores[container, key] = max(scores[first:last], default=0.0)

    def _walk(
        self, value: Any, path: str, units: list[str], ranges: list[tuple[int, str | int, int, int]]
    ) -> None:
        parts: Iterable[tuple[str | int, Any]] = value.items() if type(value) is dict else enumerate(value)
        records = type(value) is list and len(value) >= 3 and type(value[0]) is dict
        for key, part in parts:
            first = len(units)
            here = f"{path} {key}"[-160:] if type(key) is str else path
            if type(part) not in {dict, list} or self.size(part) <= (_RECORD if records else _CHUNK):
                units.append(f"{here} {spell(part)}")
            else:
                self._walk(part, here, units, ranges)
            ranges.append((id(value), key, first, len(units)))

    def size(self, value: Any) -> int:
        """Give about the length of a value as minified JSON; of a long list by a sample."""
        if type(value) not in {dict, list}:
            return len(value) + 2 if isinstance(value, str) else 5
        known = self._sizes.get(id(value))
        if known is None:
            sample = (
                value[:: len(value) // _SAMPLE] if type(value) is list and len(value) > 4 * _SAMPLE else value
            )
            length = len(json.dumps(sample, ensure_ascii=False, separators=(",", ":")))
            known = self._sizes[id(value)] = length * len(value) // max(1, len(sample))
        return known

    def show(self, value: Any, room: int, path: str = "") -> str:
        """Give a value in about ``room`` characters, whole where it fits."""
        kind = type(value)
        if kind is str and len(value) > max(_SHORT, room) + _WORTH_CUT:
            return self._string(value, room, path)
        if kind not in {dict, list} or not value:
            self.shown += 1
            return spell(value)
        text = self._repeated(value, path)
        if text:
            return text
        if len(value) >= (5 if kind is dict else 3) and self.size(value) > _CHUNK:
            items = list(value.values()) if kind is dict else _named(value)
            table = tabulate(items, strict=False)
            if table:
                return self._table(value, items, table, room)
        if self.size(value) <= room:
            self.shown += leaves(value)
            return spell(value)
        if room < _LEAST:
            return self._brief(value, room)
        return self._members(value, room, path) if kind is dict else self._items(value, room, path)

    def _repeated(self, value: Any, path: str) -> str:
        """Give a reference for an object that stood in the outline before."""
        if type(value) is not dict or not 200 <= self.size(value) <= 20_000:
            return ""
        text = spell(value)
        if text in self._seen:
            return f"{{… same as {self._seen[text]}}}"
        self._seen[text] = path or "/"
        return ""

    def _string(self, value: str, room: int, path: str) -> str:
        """Cut a long string: its head, or the sentences that answer the query, its length and its hash."""
        source = self._spelling.restore(value)
        if source[0] in "[{" and (inner := self._inner(source, room, path)):
            return inner
        room = max(16, 24 if _BLOB.match(value) else room - 36)
        digest = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        kept = self._passages(source, room) if self._query else _head(source, room)
        return f'"{kept}…"({len(source):,} characters, sha256 {digest})'

    def _passages(self, source: str, room: int) -> str:
        """Give the sentences of a string that answer the query, in order, beginning with its first words."""
        sentences = re.split(r"(?<=[.!?;:]) +|(?:\\r)?(?:\\n)+", source)
        scores = relevance(self._query or "", sentences)
        kept: set[int] = set()
        for i in sorted(range(len(sentences)), key=lambda i: (-scores[i], i)):
            if not scores[i] or sum(len(sentences[j]) + 3 for j in kept) + len(sentences[i]) > room:
                break
            kept.add(i)
        if not kept:
            found = [i for i, score in enumerate(scores) if score]
            return _head(sentences[max(found, key=lambda i: scores[i])] if found else source, room)
        return "… ".join(sentences[i] for i in sorted(kept))

    def _inner(self, source: str, room: int, path: str) -> str:
        """Outline JSON that stands inside a string."""
        try:
            document = jsontext.parse(json.loads(f'"{source}"'))
        except (ValueError, RecursionError):
            return ""
        inner = Outline(document.values[0], document.spelling, self._query)
        if self._query and type(inner.root) in {dict, list}:
            inner.rank()
        return "(JSON in a string) " + document.spelling.restore(inner.show(inner.root, room, path))

    def _brief(self, value: Any, room: int) -> str:
        if type(value) is dict:
            return "{… " + listed(value, max(room, 12)) + "}"
        names = [_first_text(item) for item in value]
        if room < 2 * _LEAST or not all(names):
            return f"[… {len(value):,}]"
        return f"[… {len(value):,}: {listed(names, room)}]"

    def _members(self, value: dict[str, Any], room: int, path: str) -> str:
        """Show an object's members in what room each gets; name those left out."""
        names = [key for key in value if not _derived(value, key)] if self.size(value) > room else list(value)
        grants = self._grants(value, {key: len(key) + 4 + self.size(value[key]) for key in names}, room - 30)
        parts = [
            f'"{key}":{self.show(value[key], grants[key] - len(key) - 4, f"{path}/{key}")}'
            for key in value
            if key in grants
        ]
        left = [key for key in value if key not in grants]
        if left:
            parts.append(f"… {len(left):,} more: {listed(left, max(60, room // 3))}")
        return "{" + _joined(parts) + "}"

    def _items(self, value: list[Any], room: int, path: str) -> str:
        """Show a list's items in what room each gets; the last stays, the gaps say how many."""
        if len(value) > 16 and all(type(item) is Number for item in value):
            return self._vector(value, room)
        sizes: dict[int, int] = {i: self.size(item) + 1 for i, item in enumerate(value)}
        grants = self._grants(value, sizes, room - 20)
        parts: list[str] = []
        gap = 0
        for i, item in enumerate(value):
            if i in grants:
                if gap:
                    parts.append(f"… {gap:,} more")
                gap = 0
                parts.append(self.show(item, grants[i] - 1, f"{path}/{i}"))
            else:
                gap += 1
        if gap:
            parts.append(f"… {gap:,} more")
        return "[" + _joined(parts) + "]"

    def _vector(self, value: list[Number], room: int) -> str:
        """Show the ends of a list of numbers, its range and its hash."""
        room = min(room, 200)
        text = ",".join(value)
        if len(text) <= room:
            self.shown += len(value)
            return f"[{text}]"
        ends = max(1, (room - 60) // (2 * (len(text) // len(value) + 1)))
        self.shown += 2 * ends
        low, high = min(value, key=float), max(value, key=float)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        said = f"… {len(value) - 2 * ends:,} more of {low}..{high}, sha256 {digest}"
        return "[" + ",".join([*value[:ends], said, *value[-ends:]]) + "]"

    def _grants(self, container: Any, sizes: Mapping[Any, int], room: int) -> dict[Any, int]:
        """Share room among parts: to each part that is shown at all, how much."""
        if sum(sizes.values()) <= room:
            return dict(sizes)
        scores = {key: self._scores.get((id(container), key), 0.0) for key in sizes}
        best = max(scores.values(), default=0.0)
        if best:
            return _by_score(sizes, scores, room)
        level = _waterline(sizes.values(), room)
        if level >= _LEAST:
            return {key: min(size, level) for key, size in sizes.items()}
        keys = list(sizes)
        count = max(1, room // (2 * _LEAST))
        kept = [*keys[: count - 1], keys[-1]] if isinstance(container, list) and count > 1 else keys[:count]
        level = max(_LEAST, _waterline([sizes[key] for key in kept], room))
        return {key: min(sizes[key], level) for key in kept}

    def _table(self, value: Any, items: list[Any], table: Table, room: int) -> str:
        """Show records as numbered rows under a header."""
        keys = list(value) if type(value) is dict else None
        label = f"{len(items):,} members, key first" if keys else f"{len(items):,} records"
        opened, closed = ("{", "}") if keys else ("[", "]")
        if self.size(value) <= _TABLE_GAIN * room:
            header, lines = body(table, items)
            if keys:
                lines = [f'"{key}",{line}' for key, line in zip(keys, lines, strict=True)]
            if sum(map(len, lines)) + len(lines) + len(header) <= room:
                self.shown += leaves(value)
                return f"{opened}{label}: {header}\n" + "\n".join(lines) + f"\n{closed}"
        choice = Selection(table, items, room, self._query).choose(
            [self._scores.get((id(value), key), 0.0) for key in keys or range(len(items))],
            sum(map(len, keys)) // len(keys) if keys else 0,
        )
        if value is self.root and not choice.left:
            self.rows = len(choice.rows)
        names = [f'"{key}",' for key in keys] if keys else [f"#{i} " for i in range(len(items))]
        if choice.complete and not keys:
            names = [""] * len(items)
        lines = [f"{names[row]}{self._row(choice, row, items[row])}" for row in choice.rows]
        header = ",".join([*choice.constants, *map(choice.heading, choice.columns)])
        return f"{opened}{label}: {header}\n" + "\n".join([*lines, *choice.notes()]) + f"\n{closed}"

    def _row(self, choice: Choice, row: int, item: Any) -> str:
        at = choice.places.get(row)
        if at is None:
            return "!" + self.show(item, 2 * WIDEST)
        self.shown += len(choice.constants)
        cells = [column.values[at] for column in choice.columns]
        return ",".join("" if cell is ABSENT else self._cell(cell) for cell in cells)

    def _cell(self, value: Any) -> str:
        """Show a cell on one line; of a large list or object its names."""
        if self._query or type(value) not in {dict, list} or self.size(value) <= WIDEST:
            return self.show(value, WIDEST)
        return self._brief(value, WIDEST // 2)


def leaves(value: Any) -> int:
    """Count the scalars and empty containers of a value."""
    if type(value) is dict:
        return sum(map(leaves, value.values())) or 1
    if type(value) is list:
        return sum(map(leaves, value)) or 1
    return 1


def _named(items: list[Any]) -> list[Any]:
    """Give lists of one length as records with their places as keys, anything else as it is."""
    if any(type(item) is not list for item in items) or not 0 < len(items[0]) <= _MOST_PLACES:
        return items
    if any(len(item) != len(items[0]) for item in items):
        return items
    places = [str(place) for place in range(len(items[0]))]
    return [dict(zip(places, item, strict=True)) for item in items]


def _first_text(value: Any) -> str:
    """Give what names a value in a list: itself, or the first string of an object."""
    if type(value) is dict:
        value = next((item for item in value.values() if type(item) is str), "")
    return value if type(value) in {str, Number} and len(value) <= _SHORT else ""


def _by_score(sizes: Mapping[Any, int], scores: Mapping[Any, float], room: int) -> dict[Any, int]:
    """Serve the parts that answer the query first, then short ones as context."""
    best = max(scores.values())
    grants: dict[Any, int] = {}
    left = room
    for key in sorted(sizes, key=lambda key: -scores[key]):
        if scores[key] < 0.3 * best or left < _LEAST:
            break
        grants[key] = min(sizes[key], max(_LEAST, int(0.6 * left)))
        left -= grants[key]
    context = min(left, room // 5)
    for key, size in sizes.items():
        if key not in grants and size <= min(_SHORT, context):
            grants[key] = size
            context -= size
    return grants


def _waterline(sizes: Iterable[int], room: int) -> int:
    """Give the level up to which all parts can be filled with ``room``."""
    rest = sorted(sizes)
    for done, size in enumerate(rest):
        level = room // (len(rest) - done)
        if size > level:
            return level
        room -= size
    return max(rest, default=0)


def _derived(members: Mapping[str, Any], key: str) -> bool:
    """Tell an address that an earlier member of the same object makes superfluous: same host and first steps."""
    value = members[key]
    if type(value) is not str or not (found := _ADDRESS.match(value)):
        return False
    for other, earlier in members.items():
        if other == key:
            return False
        if type(earlier) is str and earlier.startswith(found[0]):
            return True
    return False


def _joined(parts: Sequence[str]) -> str:
    """Put long parts on lines of their own."""
    return (",\n" if sum(map(len, parts)) > 160 else ",").join(parts)


def _head(source: str, room: int) -> str:
    """Give the beginning of a string without cutting an escape in two."""
    if len(source) <= room:
        return source
    kept = source[:room]
    cut = kept.rfind("\\", max(0, room - 6))
    return kept[:cut] if cut >= 0 else kept
