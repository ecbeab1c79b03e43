"""Units of delimited text: rows, quoted line breaks included, and the header that stands before any of them."""

import re
from array import array
from collections.abc import Sequence

from caveman_engine.units.shape import Units, ends_of, line_starts, offsets, rows

_DELIMITERS = ",\t;|"
_SAMPLE = 50
_LONGEST_ROW = 1000  # lines; a quote that stays open longer was none


def sniff(text: str) -> str | None:
    """Give the delimiter of a table, or None where the text is none.

    Nine of ten sampled rows have as many delimiters outside quotes as the header has.
    """
    sample = [
        line for line in re.sub(r'"(?:[^"]|"")*"', "", text[:65536]).splitlines()[:_SAMPLE] if line.strip()
    ]
    if len(sample) < 2 or text.lstrip()[:1] in ("{", "["):
        return None
    for delimiter in _DELIMITERS:
        width = sample[0].count(delimiter)
        # The last sampled line may be cut.
        same = sum(line.count(delimiter) == width for line in sample)
        if width and same >= 0.9 * len(sample) - 1:
            return delimiter
    return None


def row_starts(text: str, delimiter: str) -> Sequence[int]:
    """Give where each row begins; a line end inside a quoted field ends no row."""
    if '"' not in text:
        return line_starts(text)
    lines = rows(text)
    starts = offsets(lines)
    out = array("q")
    index = 0
    while index < len(lines):
        out.append(starts[index])
        index += 1 + _continued(lines, index, delimiter)
    return out


def _continued(lines: Sequence[str], index: int, delimiter: str) -> int:
    """Count the lines that the row of line ``index`` goes on for: to the one that closes its open quote."""
    if lines[index].count('"') % 2 == 0 or not _opens(lines[index], delimiter):
        return 0
    for more, line in enumerate(lines[index + 1 : index + _LONGEST_ROW], start=1):
        if line.count('"') % 2:
            return more
    return 0


def _opens(line: str, delimiter: str) -> bool:
    """Tell a quote that opens a field and is not closed from one inside a field, such as an inch sign."""
    mark = re.escape(delimiter)
    bare = re.sub(rf'(?:^|(?<={mark}))"(?:[^"]|"")*"(?=[{mark}\\r]|$)', "", line)
    return re.search(rf'(?:^|{mark})"', bare) is not None


def table(text: str) -> Units | None:
    """Make each row below the header a unit; rows count from 1, the header being row 1 (RFC 7111)."""
    delimiter = sniff(text)
    if delimiter is None:
        return None
    starts = row_starts(text, delimiter)
    if len(starts) < 2:
        return None
    header = (starts[0], starts[1])
    begins = starts[1:]
    return Units(
        "rows",
        text,
        begins,
        ends_of(begins, text),
        lambda first, last: f"row={first + 2}" + (f"-{last + 2}" if last > first else ""),
        lambda first, last: f"row {first + 2}" if first == last else f"rows {first + 2}-{last + 2}",
        list,
        lead=header,
    )
