"""Records as columns, and back: which objects share their keys, and what a table of them looks like.

Works on values of ``jsontext.parse``. The strict form can be inverted: every key, its order and every spelling can
be read off it. Grammar of a table, cells being minified JSON and nothing where a key is absent:

    [3 records: id,owner.name,status="ok"        status is "ok" in all of them
    1,"a"
    2,
    !{"id":3,"note":"not of this form"}
    ]
    {2 members, key first: version,"odd name"
    "left",1
    "right",2
    }
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from caveman_engine.jsontext import Number, Spelling

ABSENT = object()
_PLAIN = re.compile(r"[^\W\d][\w-]*\Z")
_MOST_COLUMNS = 64
_MOST_SHAPES = 200
_MOST_PLACES = 32  # of lists that make the rows of a table
_DEEPEST = 6
_COVERAGE = 0.25  # a key that fewer rows have costs more in commas than its column saves


class Stray(str):
    """A line among records that is no JSON; shown behind ``?``."""

    __slots__ = ()


def stray(line: str, spelling: Spelling) -> Stray:
    """Keep a line that is no JSON through the printing of the others."""
    return Stray(spelling.hide_any(line))


@dataclass(slots=True, eq=False)
class Column:
    """The path of keys from the record to the value, and a value or ABSENT for each regular row."""

    path: tuple[str, ...]
    values: list[Any]
    _cells: list[str] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Give the path as a header shows it."""
        return ".".join(key if _PLAIN.match(key) else f'"{key}"' for key in self.path)

    def cells(self) -> list[str]:
        """Give the cells' texts, "" where a row has no value."""
        if self._cells is None:
            kinds = set(map(type, self.values))
            if kinds == {str}:
                self._cells = [f'"{value}"' for value in self.values]
            elif kinds == {Number}:
                self._cells = self.values
            else:
                self._cells = ["" if value is ABSENT else spell(value) for value in self.values]
        return self._cells


@dataclass(slots=True)
class Table:
    """``rows`` are the indices of items with these columns, ``odd`` those of the others."""

    columns: list[Column]
    rows: list[int]
    odd: list[int]

    @property
    def filled(self) -> bool:
        """Tell that most cells have a value."""
        absent = sum(column.values.count(ABSENT) for column in self.columns)
        return 2 * absent < len(self.columns) * len(self.rows)


def spell(value: Any) -> str:
    """Give a value as minified JSON in the source's spelling (escapes still hidden)."""
    kind = type(value)
    if kind is Number:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return f'"{value}"'
    if kind is Stray:
        return f"?{value}"
    if kind is dict:
        return "{" + ",".join([f'"{key}":{spell(item)}' for key, item in value.items()]) + "}"
    if kind is list:
        return "[" + ",".join([spell(item) for item in value]) + "]"
    return "null" if value is None else "true" if value else "false"


def tabulate(items: Sequence[Any], *, strict: bool) -> Table | None:
    """Find the columns of items that are mostly objects alike; None where they are not.

    ``strict``: only rows whose keys stand in the columns' order are regular, and rare keys make no column.
    """
    shapes = Counter(tuple(item) for item in items if type(item) is dict)
    objects = shapes.total()
    if objects < 0.6 * len(items) or len(items) < 3:
        return None
    keys, accepted = _merged(shapes, len(items), strict=strict)
    rows = [i for i, item in enumerate(items) if type(item) is dict and tuple(item) in accepted]
    if len(rows) < 0.6 * len(items) or not keys:
        return None
    regular = [items[i] for i in rows]
    columns: list[Column] = []
    for key in keys:
        column = Column((key,), [item.get(key, ABSENT) for item in regular])
        columns.extend(_flat(column, _DEEPEST, strict=strict))
    if strict:
        rows, columns = _without_exceptions(rows, columns)
    taken = set(rows)
    return Table(columns, rows, [i for i in range(len(items)) if i not in taken])


def of_lists(items: Sequence[Any]) -> Table | None:
    """Make a table of lists of one length, with their places as keys; None where they are not."""
    if any(type(item) is not list for item in items) or not 0 < len(items[0]) <= _MOST_PLACES:
        return None
    if any(len(item) != len(items[0]) for item in items):
        return None
    columns = [Column((str(place),), list(values)) for place, values in enumerate(zip(*items, strict=True))]
    return Table(columns, list(range(len(items))), [])


def _without_exceptions(rows: list[int], columns: list[Column]) -> tuple[list[int], list[Column]]:
    """Make rows odd that alone keep a column from being constant: its value then stands once, in the header."""
    odd: set[int] = set()
    most = len(rows) // 50
    for column in columns:
        (usual, times), *_ = Counter(column.cells()).most_common(1)
        if usual and 0 < len(rows) - times <= most:
            odd.update(at for at, cell in enumerate(column.cells()) if cell != usual)
    if not odd or len(odd) > 2 * most:
        return rows, columns
    kept = [at for at in range(len(rows)) if at not in odd]
    return [rows[at] for at in kept], [
        Column(column.path, [column.values[at] for at in kept]) for column in columns
    ]


def _merged(
    shapes: Counter[tuple[str, ...]], total: int, *, strict: bool
) -> tuple[list[str], set[tuple[str, ...]]]:
    """Merge key sequences into one, most common first; give it and the shapes that it can hold."""
    coverage: Counter[str] = Counter()
    for shape, times in shapes.items():
        for key in shape:
            coverage[key] += times
    order: list[str] = []
    accepted: set[tuple[str, ...]] = set()
    for shape, _ in shapes.most_common(_MOST_SHAPES):
        fresh = [key for key in shape if key not in order]
        if len(order) + len(fresh) > _MOST_COLUMNS:
            continue
        if strict and order and any(coverage[key] < _COVERAGE * total for key in fresh):
            continue
        merged = _inserted(order, shape)
        if strict and not _is_subsequence(shape, merged):
            continue
        order = merged
        accepted.add(shape)
    return order, accepted


def _inserted(order: list[str], shape: tuple[str, ...]) -> list[str]:
    """Put the new keys of a shape behind the key that comes before them in it."""
    merged = list(order)
    at = 0
    for key in shape:
        if key in merged:
            at = merged.index(key) + 1
        else:
            merged.insert(at, key)
            at += 1
    return merged


def _is_subsequence(shape: Iterable[str], order: Iterable[str]) -> bool:
    rest = iter(order)
    return all(key in rest for key in shape)


def _flat(column: Column, depth: int, *, strict: bool) -> list[Column]:
    """Spread a column of objects alike over columns of their members."""
    present = [value for value in column.values if value is not ABSENT]
    if not depth or len(present) < 3 or not all(type(value) is dict and value for value in present):
        return [column]
    shapes = Counter(map(tuple, present))
    keys, accepted = _merged(shapes, len(present), strict=strict)
    average = sum(len(shape) * times for shape, times in shapes.items()) / len(present)
    if len(accepted) < len(shapes) or len(keys) > max(4, 2 * average):
        return [column]
    out: list[Column] = []
    for key in keys:
        values = [ABSENT if value is ABSENT else value.get(key, ABSENT) for value in column.values]
        out.extend(_flat(Column((*column.path, key), values), depth - 1, strict=strict))
    return out if len(out) <= _MOST_COLUMNS else [column]


def lay(value: Any) -> str:
    """Give a whole value with its records as tables: shorter than minified JSON, and invertible."""
    kind = type(value)
    if kind is dict:
        if len(value) >= 5 and (text := _map_table(value)):
            return text
        return "{" + ",".join([f'"{key}":{lay(item)}' for key, item in value.items()]) + "}"
    if kind is list:
        if len(value) >= 3 and (text := _list_table(value)):
            return text
        return "[" + ",".join([lay(item) for item in value]) + "]"
    return spell(value)


def _list_table(items: list[Any], other: Callable[[Any], str] = spell) -> str | None:
    table = _worth(items)
    if table is None:
        return None
    header, lines = body(table, items, other)
    return f"[{len(items):,} records: {header}\n" + "\n".join(lines) + "\n]"


def _map_table(members: Mapping[str, Any]) -> str | None:
    items = list(members.values())
    table = _worth(items)
    if table is None:
        return None
    header, lines = body(table, items)
    rows = [f'"{key}",{line}' for key, line in zip(members, lines, strict=True)]
    return f"{{{len(items):,} members, key first: {header}\n" + "\n".join(rows) + "\n}"


def _worth(items: Sequence[Any]) -> Table | None:
    """Make a strict table unless its rows are so long that their own parts are the better tables."""
    if type(items[0]) is not dict and type(items[-1]) is not dict:
        return None
    if sum(len(spell(item)) for item in items[:8]) > 2000 * len(items[:8]):
        return None
    table = tabulate(items, strict=True)
    return table if table and table.filled else None


def body(table: Table, items: Sequence[Any], other: Callable[[Any], str] = spell) -> tuple[str, list[str]]:
    """Give the header and a line for each item in order; ``other`` spells the odd ones."""
    names: list[str] = []
    cells: list[list[str]] = []
    for column in table.columns:
        texts = column.cells()
        if texts[0] and texts.count(texts[0]) == len(texts):
            names.append(f"{column.name}={texts[0]}")
        else:
            names.append(column.name)
            cells.append(texts)
    lines = [""] * len(items)
    for row, line in zip(table.rows, map(",".join, zip(*cells, strict=True)), strict=False):
        lines[row] = line
    for row in table.odd:
        lines[row] = "!" + other(items[row])
    return ",".join(names), lines
