"""Tables aligned by spaces: where their columns begin, read from a rule, from the titles, or from the modes of ls.

Owns the places of columns; the cells it cuts are the source's own text without the padding. Knows no views.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

_EARLY = 12  # lines within which the titles stand
_SAMPLE = 200  # rows that are looked at for the places of columns
_FEWEST_ROWS = 3
_MOST_TITLES = 40
_STEADY = 0.95  # of the rows have a blank where a column ends
_RULE = re.compile(r"[-=+ ]*(?:--|==)[-=+ ]*\Z")
_TITLE = re.compile(r"[A-Z%#][\w%()/:.#-]*\Z")
_WORD = re.compile(r"\S+")
_LISTED = re.compile(
    r"(?P<mode>[-dlcbpsD?][-rwxsStTlL?]{9}[.+@]?) +(?P<links>\d+) +(?P<owner>\S+) +(?P<group>\S+)"
    r" +(?P<size>\d[\d.]*[KMGTP]?|\d+, +\d+)"
    r" +(?P<date>[A-Za-z]{3} +\d+ +(?:\d\d:\d\d|\d{4})|\d{4}-\d\d-\d\d \d\d:\d\d(?::[\d.]+)?(?: [+-]\d{4})?)"
    r" (?P<name>.*)\Z"
)
_LISTING = ["mode", "links", "owner", "group", "size", "date", "name"]

Cells = dict[int, list[str]]


def read(lines: Sequence[str]) -> tuple[list[str], Cells] | None:
    """Give the titles and the cells of each line that is a row, or None."""
    return _listing(lines) or _ruled(lines) or _titled(lines)


def _listing(lines: Sequence[str]) -> tuple[list[str], Cells] | None:
    """Read ``ls -l``, whose columns have no titles."""
    full = [line for line in lines[:_SAMPLE] if line.strip()]
    if sum(_LISTED.match(line) is not None for line in full) < 0.8 * len(full):
        return None
    rows = {i: list(found.groups()) for i, line in enumerate(lines) if (found := _LISTED.match(line))}
    return (list(_LISTING), rows) if len(rows) >= _FEWEST_ROWS else None


def _ruled(lines: Sequence[str]) -> tuple[list[str], Cells] | None:
    """Read a table with a rule under its titles that is broken where a column ends: dpkg, pip, sqlcmd."""
    at = next((i for i, line in enumerate(lines[:_EARLY]) if i and _RULE.match(line)), None)
    if at is None:
        return None
    runs = re.finditer(r"[=+]+" if "=" in lines[at] else r"-+", lines[at])
    starts = [run.start() for run in runs]
    if not 2 <= len(starts) <= _MOST_TITLES:
        return None
    return _cut(lines, at, lines[at - 1], [start - 1 for start in starts[1:]])


def _titled(lines: Sequence[str]) -> tuple[list[str], Cells] | None:
    """Read a table whose titles stand over, or right over, its cells: ps, df, docker, kubectl."""
    for at, line in enumerate(lines[:_EARLY]):
        words = list(_WORD.finditer(line))
        titles = sum(_TITLE.match(word[0]) is not None for word in words)
        if not 3 <= len(words) <= _MOST_TITLES or titles < max(3, 0.7 * len(words)) or words[0].start() > 40:
            continue
        rows = [row for row in lines[at + 1 : at + 1 + _SAMPLE] if row.strip()]
        if len(rows) < _FEWEST_ROWS:
            return None
        spaces = [(before.end(), after.start()) for before, after in pairwise(words)]
        ends = [end for space in spaces if (end := _steady(rows, range(*space))) is not None]
        if len(ends) >= max(2, 0.6 * len(spaces)) and (found := _cut(lines, at, line, ends)):
            return found
    return None


def _steady(rows: Sequence[str], places: Iterable[int]) -> int | None:
    """Give the place at which most rows have a blank, the last of those alike; None where no place has."""
    blanks = {place: sum(row[place : place + 1] in {"", " "} for row in rows) for place in places}
    best = max(blanks, key=lambda place: (blanks[place], place), default=None)
    if best is None or blanks[best] < _STEADY * len(rows):
        return None
    # The second word of a title stands over nothing.
    filled = sum(bool(row[best:].strip()) for row in rows)
    return best if filled > (1 - _STEADY) * len(rows) else None


def _cut(
    lines: Sequence[str], above: int, titles: str, ends: Sequence[int]
) -> tuple[list[str], Cells] | None:
    """Cut the lines below ``above`` where columns end; a cell that is too wide ends at its next blank."""
    rows: Cells = {}
    full = 0
    for i in range(above + 1, len(lines)):
        line = lines[i]
        if not line.strip():
            continue
        full += 1
        if len(cells := _cells(line, ends)) == len(ends) + 1 and sum(map(bool, cells)) >= 2:
            rows[i] = cells
    header = _cells(titles, ends)
    if (
        len(rows) < max(_FEWEST_ROWS, 0.8 * full)
        or len(header) != len(ends) + 1
        or len(set(header)) < len(header)
    ):
        return None
    return header, rows


def _cells(line: str, ends: Sequence[int]) -> list[str]:
    cells: list[str] = []
    start = 0
    for end in ends:
        stop = line.find(" ", end) if line[end : end + 1].strip() else end
        if stop < 0:
            break
        cells.append(line[start:stop].strip())
        start = max(start, stop)
    return [*cells, line[start:].strip()]
