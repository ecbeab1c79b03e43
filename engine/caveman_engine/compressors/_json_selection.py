"""What of a table of records is worth its room: which rows, which columns, and what is said of the others.

Owns the trade between all rows with light columns and some rows with most columns; prints no rows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from caveman_engine import facts
from caveman_engine.compressors import _rows
from caveman_engine.compressors._json_records import ABSENT, Column, Table, spell

WIDEST = 160  # characters of a cell
_NONE = "(none)"
_HEAVY = 28  # a list or object wider than this comes after all scalars
_MOST_ROWS = 150
_FEW_SAID = 12  # kinds of a sentence that are a state rather than something said
_WIDTH, _ASKED_WIDTH = 320, 240  # characters of a row when not all rows are shown


@dataclass(slots=True)
class Choice:
    """The rows to show, in order, and their columns; ``places`` gives the place of a regular row in a column."""

    rows: list[int]
    columns: list[Column]
    constants: list[str]
    left: list[str]
    total: int
    places: dict[int, int]
    facts: str = ""

    @property
    def complete(self) -> bool:
        """Tell that every row is shown."""
        return len(self.rows) == self.total

    def heading(self, column: Column) -> str:
        """Give a column's name, and how many rows have it where not all do."""
        has = len(column.values) - column.values.count(ABSENT)
        return column.name if has == self.total else f"{column.name} ({has:,} of {self.total:,})"

    def notes(self) -> list[str]:
        """Say what is left out."""
        notes = []
        if not self.complete:
            notes.append(f"… {self.total - len(self.rows):,} more; {self.facts}".removesuffix("; "))
        if self.left:
            notes.append(f"… without {len(self.left)} columns: {listed(self.left, 400)}")
        return notes


class Selection:
    """Chooses among the rows and columns of one table."""

    def __init__(self, table: Table, items: Sequence[object], room: int, query: str | None) -> None:
        self._table = table
        self._items = items
        self._room = room
        self._query = query
        self._constant = [column for column in table.columns if _is_constant(column)]
        self._columns = [column for column in table.columns if column not in self._constant]
        self._widths = {id(column): _width(column) for column in self._columns}
        self._named = _rows.named(query, [column.name for column in self._columns]) if query else set()

    def choose(self, scores: Sequence[float], lead: int) -> Choice:
        """Give the choice; ``scores`` are the rows' for the query, ``lead`` the length of what stands before a row."""
        total = len(self._items)
        exact = self._exact(scores) if self._query else []
        each = int(0.95 * self._room / total) - lead
        columns = self._lightest(each)
        rows = list(range(total))
        if exact or self._query or not self._tells(columns, keyed=lead > 0):
            columns = self._lightest(_ASKED_WIDTH if self._query else _WIDTH)
            cost = lead + 6 + sum(self._widths[id(column)] for column in columns)
            count = max(1, min(_MOST_ROWS, int(0.65 * self._room / cost)))
            rows = sorted(exact or self._picks(scores, count))
        left = [column.name for column in self._columns if column not in columns]
        constants = [f"{column.name}={column.cells()[0]}" for column in self._constant]
        places = {row: at for at, row in enumerate(self._table.rows)}
        choice = Choice(rows, columns, constants, left, total, places)
        if not exact and not choice.complete:
            choice.facts = self._facts(choice)
        return choice

    def _tells(self, columns: Sequence[Column], *, keyed: bool) -> bool:
        """Tell whether all rows with these columns say enough: several columns, a name, and what is said."""
        if len(columns) < min(4, len(self._columns)):
            return False
        naming = [column for column in self._columns if _is_naming(column)]
        if keyed or any(column in naming for column in columns):
            return True
        return not naming and not any(_is_said(column) for column in self._columns if column not in columns)

    def _exact(self, scores: Sequence[float]) -> list[int]:
        """Give the few rows that hold all the query asks for."""
        hits = _rows.matching(scores)
        texts = {row: spell(self._items[row]) for row in hits[:6]}
        return _rows.holding_all(self._query or "", [column.name for column in self._columns], texts)

    def _lightest(self, width: int) -> list[Column]:
        """Give the columns, lightest and least nested first, that fit in ``width``; asked ones before all."""
        order = sorted(self._columns, key=self._weight)
        kept: list[int] = []
        for column in sorted(order, key=lambda column: column.name not in self._named):
            cost = self._widths[id(column)]
            if cost <= width or (not kept and column.name in self._named):
                kept.append(id(column))
                width -= cost
        return [column for column in self._columns if id(column) in kept]

    def _weight(self, column: Column) -> tuple[bool, bool, int]:
        width = self._widths[id(column)]
        heavy = width > _HEAVY and any(type(value) in {dict, list} for value in column.values)
        return len(column.path) > 2, heavy, width

    def _picks(self, scores: Sequence[float], count: int) -> list[int]:
        """Give up to ``count`` rows: what the query asks for, then those that stand out, then examples."""
        rows = self._table.rows
        columns = [_rows.Column(column.name, column.cells()) for column in self._columns]
        notable = [rows[at] for at in _rows.standing_out(columns, len(rows), self._named)]
        hits = _rows.matching(scores)
        asked = _rows.positions(self._query, len(self._items)) if self._query else []
        asked.extend(hits[: max(3, count // 2)])
        total = len(self._items)
        spread = [] if self._query else range(0, total, max(1, total // count))
        return list(dict.fromkeys([*asked, *notable[:2], *self._table.odd[:10], *notable, *hits, *spread]))[
            :count
        ]

    def _facts(self, choice: Choice) -> str:
        """State facts over the rows left out; nothing where rows of another form are among them."""
        shown = set(choice.rows)
        hidden = [choice.places.get(row) for row in range(choice.total) if row not in shown]
        at = [place for place in hidden if place is not None]
        if len(at) < len(hidden):
            return ""
        columns = [*self._constant, *choice.columns]
        texts = {column.name: column.cells() for column in columns}
        cells = {name: [of[i].strip('"') if of[i] else _NONE for i in at] for name, of in texts.items()}
        cells = {name: values for name, values in cells.items() if values.count(_NONE) < len(values)}
        return facts.columns(cells, longest=min(600, max(120, self._room // 8)))


def _is_constant(column: Column) -> bool:
    cells = column.cells()
    return 0 < len(cells[0]) <= WIDEST and cells.count(cells[0]) == len(cells)


def _width(column: Column) -> int:
    """Give a column's average width with its comma; digits cost a third more tokens than letters."""
    lengths = list(map(len, column.cells()))
    if max(lengths) > WIDEST:
        lengths = [min(length, WIDEST) for length in lengths]
    width = 1 + sum(lengths) / len(lengths)
    letters = any(type(value) is str for value in column.values)
    return round(width if letters else width * 4 / 3)


def _is_naming(column: Column) -> bool:
    texts = {value for value in column.values if type(value) is str}
    return len(texts) > 0.8 * len(column.values)


def _is_said(column: Column) -> bool:
    """Tell what people read of a row: short sentences, of which many differ."""
    texts = [value for value in column.values if type(value) is str and value]
    if len(texts) < 0.8 * len(column.values) or not texts:
        return False
    words = sum(value.count(" ") for value in texts)
    return (
        2 * len(texts) <= words
        and sum(map(len, texts)) <= WIDEST * len(texts)
        and len(set(texts)) > _FEW_SAID
    )


def listed(names: Iterable[str], room: int) -> str:
    """List names within room, and say how many are missing."""
    names = list(names)
    text = ", ".join(names)
    if len(text) <= room:
        return text
    kept: list[str] = []
    for name in names:
        room -= len(name) + 2
        if room < 0:
            break
        kept.append(name)
    return ", ".join([*kept, f"… {len(names) - len(kept):,} more"])
