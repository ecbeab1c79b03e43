"""Rows and cells of a text that is a table, whatever draws it. Owns the syntaxes; knows no views.

Delimited (comma, tab, semicolon, bar; quoted cells may hold delimiters and line breaks), Markdown, drawn with bars
(psql, mysql, box characters), and aligned by spaces under a header (kubectl, docker, ps). Cells keep their source
spelling, quotes and escapes included.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from caveman_engine.compressors import _aligned as _by_place

BLANK = " "  # the delimiter of a table that is cut by the places of its columns
_DELIMITERS = (",", "\t", ";", "|")
_SAMPLE = 60
_LONGEST_RECORD = 200  # lines over which a quoted cell may go on
_FEWEST = 4  # a header and three rows
_RULE = re.compile(r"\s*[|+:┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╭╮╰╯╞╪╡═─━┄=-]{3,}[|+:┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╭╮╰╯╞╪╡═─━┄=\s-]*\Z")
_BAR = re.compile(r"(?<!\\)[|│┃║]")
_GAP = re.compile(r" {2,}|\t+")
_HEADING = re.compile(r"[A-Z%#][A-Z0-9%()/_.:-]*(?: [A-Z0-9%(][A-Z0-9%()/_.:-]*)*\Z")
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d,\d{3}\b")
_NUMBER = re.compile(r"[-+$€£]?[\d.,]+%?\Z")


class Row(NamedTuple):
    """A data row: its first and last line, and its cells."""

    first: int
    last: int
    cells: list[str]


class Grid(NamedTuple):
    """A table: header cells, data rows, and the lines that are neither (rules, the header, talk around it).

    ``padded``: cells are surrounded by layout that carries nothing. ``delimiter`` joins cells again.
    """

    header: list[str]
    rows: list[Row]
    others: list[int]
    delimiter: str
    padded: bool


def read(lines: Sequence[str]) -> Grid | None:
    """Give the table that most lines belong to, or None."""
    if len(lines) < _FEWEST:
        return None
    return _barred(lines) or _delimited(lines) or _aligned(lines)


def _barred(lines: Sequence[str]) -> Grid | None:
    """Read Markdown, psql, mysql and box tables: a rule under the header, bars between cells."""
    rule = next(
        (i for i, line in enumerate(lines[:400]) if i and _is_rule(line) and _BAR.search(lines[i - 1])), None
    )
    if rule is None:
        return None
    header = bar_cells(lines[rule - 1])
    rows: list[Row] = []
    others: list[int] = []
    for i, line in enumerate(lines):
        if i < rule or _is_rule(line) or not _BAR.search(line):
            others.append(i)
        else:
            rows.append(Row(i, i, bar_cells(line)))
    if len(header) < 2 or len(rows) < 0.5 * len(lines):
        return None
    good = sum(len(row.cells) == len(header) for row in rows)
    return Grid(header, rows, others, "|", padded=True) if good >= 0.8 * len(rows) else None


def _is_rule(line: str) -> bool:
    return _RULE.match(line) is not None and any(sign in line for sign in "-─━═=")


def bar_cells(line: str) -> list[str]:
    r"""Cut a line at its bars, not at ``\|``; the outer bars make no cells."""
    cells = [cell.strip() for cell in _BAR.split(line)]
    if len(cells) > 1 and not cells[0] and line.lstrip()[:1] in "|│┃║":
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1] and line.rstrip()[-1:] in "|│┃║":
        cells = cells[:-1]
    return cells


def _delimited(lines: Sequence[str]) -> Grid | None:
    """Read the delimiter under which a sample of rows has the same number of cells as the header."""
    for delimiter in _DELIMITERS:
        sample = [row for row, _ in zip(_records(lines, delimiter), range(_SAMPLE), strict=False)]
        if len(sample) >= 3 and _agrees(sample, delimiter):
            first, *rows = _records(lines, delimiter)
            blank = [row.first for row in rows if row.cells == [""]]
            rows = [row for row in rows if row.cells != [""]]
            others = [*range(first.first, first.last + 1), *blank]
            return Grid(first.cells, rows, others, delimiter, padded=False)
    return None


def _agrees(sample: Sequence[Row], delimiter: str) -> bool:
    header, rows = sample[0].cells, sample[1:]
    width = len(header)
    if width < 2 or sum(len(row.cells) == width for row in rows) < 0.85 * len(rows):
        return False
    if not all(_is_title(cell, delimiter) for cell in header) or len(set(header)) < width:
        return False
    if sum(
        bool(_STAMP.match(row.cells[0] + delimiter + row.cells[1][:3])) for row in rows if len(row.cells) > 1
    ):
        return False
    words = sum(len(cell.split()) > 12 for row in rows for cell in row.cells)
    return width > 2 or (words <= 0.3 * len(rows) and any(row.cells[-1] for row in rows))


def _is_title(cell: str, delimiter: str) -> bool:
    """Tell what may be a column's name: short, not a number, no code."""
    if _NUMBER.match(cell) or (delimiter != "\t" and len(cell) > 80):
        return False
    return delimiter == "\t" or not re.search(r"[{}=]|\(\)|://|:\d+[:-]|^\W{3,}", cell)


def _records(lines: Sequence[str], delimiter: str) -> Iterator[Row]:
    """Cut lines into cells; a cell that begins with a quote may go on over following lines."""
    other = re.escape(delimiter)
    cell = re.compile(rf'"(?:[^"]|"")*+"[^{other}]*|(?!")[^{other}]*')
    i = 0
    while i < len(lines):
        first, text = i, lines[i]
        cells = _quoted_cells(text, cell) if '"' in text else text.split(delimiter)
        while cells is None and i + 1 < len(lines) and i - first < _LONGEST_RECORD:
            i += 1
            text += "\n" + lines[i]
            cells = _quoted_cells(text, cell) if '"' in lines[i] else None
        if cells is None:  # a quote that is never closed is a character like others
            i, cells = first, lines[first].split(delimiter)
        yield Row(first, i, cells)
        i += 1


def _quoted_cells(text: str, cell: re.Pattern[str]) -> list[str] | None:
    """Cut a text whose cells may be quoted; None where a quote is still open."""
    cells: list[str] = []
    at = 0
    while at <= len(text):
        found = cell.match(text, at)
        if found is None:
            return None
        cells.append(found[0])
        at = found.end() + 1
    return cells


def _aligned(lines: Sequence[str]) -> Grid | None:
    """Read columns aligned by spaces; rows keep their padding."""
    found = _gapped(lines)
    if found is not None:
        return found
    read = _by_place.read(lines)
    if read is None:
        return None
    header, cells = read
    rows = [Row(i, i, cells[i]) for i in cells]
    return Grid(header, rows, [i for i in range(len(lines)) if i not in cells], BLANK, padded=False)


def _gapped(lines: Sequence[str]) -> Grid | None:
    """Read columns aligned by spaces under a header in capitals."""
    start = next(
        (i for i, line in enumerate(lines[:5]) if len(titles := _GAP.split(line.strip())) >= 3), None
    )
    if start is None:
        return None
    titles = _GAP.split(lines[start].strip())
    if not all(_HEADING.match(title) for title in titles):
        return None
    rows = [Row(i, i, _GAP.split(lines[i].strip())) for i in range(start + 1, len(lines)) if lines[i].strip()]
    counts = Counter(len(row.cells) for row in rows)
    if len(rows) < 3 or counts[len(titles)] < 0.7 * len(rows):
        return None
    taken = {row.first for row in rows}
    others = [i for i in range(len(lines)) if i not in taken]
    return Grid(titles, rows, others, "|", padded=True)
