"""Units of plain lines, for what has no better unit; and log events: a line with those that continue it."""

import re
from array import array
from collections.abc import Sequence
from itertools import compress

from caveman_engine.units.shape import Units, line_starts, of_lines, offsets, rows

# Lines that continue what stands before them, although nothing indents them.
_CHAINED = (
    "Traceback (most recent call last)",
    "During handling of the above exception",
    "The above exception was",
    "Caused by:",
    "Suppressed:",
    "Stack trace:",
)
_STAMP = re.compile(r"[\[<(\"]{0,2}(?:\d{2,4}[-/.:]\d\d|[A-Z][a-z]{2} +\d+ \d\d:|\d{9,})")
_SAMPLE = 200


def lines(text: str) -> Units:
    """Make each line a unit."""
    return of_lines("lines", text, line_starts(text))


def events(text: str) -> Units:
    """Make each line a unit together with its continuation: indented lines, tracebacks, lines without a stamp."""
    found = rows(text)
    begins = _stamped(found) or _unindented(found)
    begins[0] = True
    return of_lines("events", text, array("q", compress(offsets(found), begins)))


def _stamped(found: Sequence[str]) -> list[bool] | None:
    """Where most unindented lines begin with a time stamp, a line without one continues the last event."""
    sample = [line for line in found[:_SAMPLE] if line[:1].strip()]
    firsts = {line[0] for line in sample if _STAMP.match(line)}
    if not firsts or sum(line[0] in firsts for line in sample) < 0.7 * len(sample):
        return None
    # By first character, which the stamps share: a regular expression a line would cost as much as the search.
    return [line[:1] in firsts for line in found]


def _unindented(found: Sequence[str]) -> list[bool]:
    """Any unindented line begins an event, except inside a traceback: its last line is not indented either."""
    begins = [line[:1] not in ("", " ", "\t", "\r") for line in found]
    for index, line in enumerate(found):
        if begins[index] and line.startswith(_CHAINED):
            begins[index] = False
            if line.startswith("Traceback"):
                last = index + 1
                while last < len(found) and not begins[last]:
                    last += 1
                if last < len(found):
                    begins[last] = False
    return begins
