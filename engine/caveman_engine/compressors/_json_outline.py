"""A JSON value within a number of characters: what is kept, what is cut, and how a cut reads.

A container that does not fit gives each part an equal share (a short part passes on what it does not need), or
with a query the parts that answer it theirs first. ``…`` outside quotes stands where something is left out and is
followed by how much. Records become a table: all rows with the light columns when that fits, otherwise the rows
that stand out, numbered, with facts about the others. Owns the syntax of an outline; knows no lines or payloads.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from caveman_engine import jsontext
from caveman_engine.compressors import _json_shorten, _shares
from caveman_engine.compressors._json_records import ABSENT, Table, body, of_lists, spell, tabulate
from caveman_engine.compressors._json_selection import WIDEST, Choice, Selection, listed
from caveman_engine.jsontext import Number, Spelling
from caveman_engine.ranking import relevance

_SAMPLE = 1_000  # items that are measured of a long list
_SHORT = 64  # a string or number up to this length is never cut
_WORTH_CUT = 40  # what is said about a cut must be shorter than what is cut
_CHUNK = 400  # what is ranked as one unit for a query
_RECORD = 8_000  # the same for an item of a list of records
_FEW = 20  # so few records become a table only when they are much alike
_TABLE_GAIN = 5  # a table is hardly ever shorter than a fifth of its minified JSON
_ADDRESS = re.compile(r"\w+://[^/]+(?:/[^/?#{]+){0,3}")
_HOST, _STEPS = 3, 4  # parts of an address up to its host, and steps of a path that are compared


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
            items = list(value.values()) if kind is dict else value
            table = of_lists(items) or tabulate(items, strict=False)
            if table and (table.filled or len(items) > _FEW):
                return self._table(value, items, table, room)
        if self.size(value) <= room:
            self.shown += leaves(value)
            return spell(value)
        if room < _shares.LEAST:
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
        source = self._spelling.restore(value)
        if source[0] in "[{" and (inner := self._inner(source, room, path)):
            return inner
        return _json_shorten.string(source, room, self._query)

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
        if room < 2 * _shares.LEAST or not all(names):
            return f"[… {len(value):,}]"
        return f"[… {len(value):,}: {listed(names, room)}]"

    def _members(self, value: dict[str, Any], room: int, path: str) -> str:
        """Show an object's members in what room each gets; name those left out."""
        derived = _derived(value) if self.size(value) > room else set()
        wanted = {key: (len(key) + 4, part) for key, part in value.items() if key not in derived}
        grants = self._grants(value, wanted, room - 30)
        parts = [
            f'"{key}":{self.show(value[key], grants[key] - len(key) - 4, f"{path}/{key}")}'
            for key in value
            if key in grants
        ]
        left = [key for key in value if key not in grants]
        if left:
            parts.append(f"… {len(left):,} more: {listed(left, max(60, room // 6))}")
        return "{" + _joined(parts) + "}"

    def _items(self, value: list[Any], room: int, path: str) -> str:
        """Show a list's items in what room each gets; the last stays, the gaps say how many."""
        if len(value) > 16 and all(type(item) is Number for item in value):
            text, shown = _json_shorten.vector(value, room)
            self.shown += shown
            return text
        grants = self._grants(value, {i: (1, item) for i, item in enumerate(value)}, room - 20)
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

    def _grants(self, container: Any, parts: Mapping[Any, tuple[int, Any]], room: int) -> dict[Any, int]:
        """Share room among parts, each with the length of its key: to each that is shown at all, how much."""
        sizes = {key: lead + self.size(part) for key, (lead, part) in parts.items()}
        if sum(sizes.values()) <= room:
            return sizes
        scores = {key: self._scores.get((id(container), key), 0.0) for key in sizes}
        if any(scores.values()):
            return _shares.by_score(sizes, scores, room)
        floors = {key: lead + min(self.size(part), _floor(part)) for key, (lead, part) in parts.items()}
        return _shares.fair(sizes, floors, room, with_last=type(container) is list)

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
        space = self._space(choice, room)
        lines = [f"{names[row]}{self._row(choice, row, items[row], space)}" for row in choice.rows]
        header = ",".join([*choice.constants, *map(choice.heading, choice.columns)])
        return f"{opened}{label}: {header}\n" + "\n".join([*lines, *choice.notes()]) + f"\n{closed}"

    def _space(self, choice: Choice, room: int) -> int:
        """Give the room that each large list or object in a cell can have."""
        at = [place for row in choice.rows if (place := choice.places.get(row)) is not None]
        sizes = [self._cell_size(column.values[place]) for column in choice.columns for place in at]
        large = sum(size > WIDEST for size in sizes)
        spare = room - sum(size + 1 for size in sizes if size <= WIDEST)
        return max(WIDEST // 2, int(0.9 * spare) // large) if large else WIDEST

    def _cell_size(self, value: Any) -> int:
        if type(value) in {dict, list}:
            return self.size(value)
        return 0 if value is ABSENT else min(WIDEST, len(spell(value)))

    def _row(self, choice: Choice, row: int, item: Any, space: int) -> str:
        at = choice.places.get(row)
        if at is None:
            return "!" + self.show(item, 2 * WIDEST)
        self.shown += len(choice.constants)
        cells = [column.values[at] for column in choice.columns]
        return ",".join("" if cell is ABSENT else self._cell(cell, space) for cell in cells)

    def _cell(self, value: Any, space: int) -> str:
        """Show a cell, on one line where that says enough; of a large list or object at least its names."""
        if type(value) not in {dict, list} or (size := self.size(value)) <= WIDEST:
            return self.show(value, WIDEST)
        if size <= space:
            self.shown += leaves(value)
            return spell(value)
        if self._query or space > 3 * WIDEST:
            return self.show(value, max(WIDEST, space))
        return self._brief(value, space)


def leaves(value: Any) -> int:
    """Count the scalars and empty containers of a value."""
    if type(value) not in {dict, list} or not value:
        return 1
    count = 0
    for item in value.values() if type(value) is dict else value:
        kind = type(item)
        count += leaves(item) if kind is dict or kind is list else 1
    return count


def _floor(value: Any) -> int:
    """Give the least length of a value that is shown: a string is not cut for less than the cut would say."""
    return _shares.LEAST if type(value) in {dict, list} else _SHORT + _WORTH_CUT


def _first_text(value: Any) -> str:
    """Give what names a value in a list: itself, or the first string of an object."""
    if type(value) is dict:
        value = next((item for item in value.values() if type(item) is str), "")
    return value if type(value) in {str, Number} and len(value) <= _SHORT else ""


def _derived(members: Mapping[str, Any]) -> set[str]:
    """Give the members whose address an earlier one makes superfluous: the same first steps, or it and more."""
    begun: set[str] = set()
    whole: set[str] = set()
    derived: set[str] = set()
    for key, value in members.items():
        if type(value) is not str or not (found := _ADDRESS.match(value)):
            continue
        steps = value.split("/")
        starts = ["/".join(steps[:n]) for n in range(_HOST, min(len(steps), _HOST + _STEPS) + 1)]
        if found[0] in begun or not whole.isdisjoint(starts[1:]):
            derived.add(key)
        begun.update(starts)
        whole.add(value)
    return derived


def _joined(parts: Sequence[str]) -> str:
    """Put long parts on lines of their own."""
    return (",\n" if sum(map(len, parts)) > 160 else ",").join(parts)
