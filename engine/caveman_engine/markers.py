"""What an elision says. Owns the sigil, the footer and the building of views that keep whole lines.

A line of a view that begins with the sigil is ours. An input line that begins with it is never shown bare, so
no input can forge one. Knows nothing of content types, tokens or stores.
"""

import re
from collections.abc import Callable, Collection

from caveman_engine.payload import Payload
from caveman_engine.views import View

SIGIL = "[caveman:"
# Where some reader begins a new line (Unicode 5.8 and str.splitlines), and what may stand unseen at its beginning.
_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_UNSEEN = "".join(
    map(chr, (*range(9), *range(14, 28), 0x7F, 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F)))
)
_UNSEEN += "".join(map(chr, (*range(0x2060, 0x2070), 0xFEFF)))
_MOST_UNSEEN = 40
_MARKER_LENGTH = 100  # characters that a marker with facts may take
FOOTER = re.compile(r"(?<![^\r\n])\[caveman: (?:showing |all )?[\d,]+ .{0,120}ccr_[0-9a-f]{32}.{0,40}\]\s*\Z")


def marker(text: str) -> str:
    """Give a marker line with its end."""
    return f"{SIGIL} {text}]\n"


def footer(view: View, way_back: str) -> str:
    """Give the last line of a view: how much of the source stands in it and how to get the rest."""
    unit = view.unit if view.total != 1 else view.unit.removesuffix("s")
    if view.shown < view.total:
        return marker(f"showing {view.shown:,} of {view.total:,} {unit}; original: {way_back}").rstrip("\n")
    return marker(f"all {view.total:,} {unit}; original: {way_back}").rstrip("\n")


def is_forged(text: str) -> bool:
    """Tell input text in which a line would look like one of ours."""
    return SIGIL in text and line_starts(text) > 0


def line_starts(text: str) -> int:
    """Count the sigils that a reader sees at the beginning of a line, whatever breaks the line or hides before it."""
    found = 0
    at = text.find(SIGIL)
    while at >= 0:
        before = text[max(0, at - _MOST_UNSEEN) : at].rstrip(_UNSEEN)
        found += not before or before[-1] in _BREAKS
        at = text.find(SIGIL, at + 1)
    return found


def ends_in_footer(data: bytes) -> bool:
    """Tell our own output by its last line."""
    return FOOTER.search(data[-400:].decode("utf-8", "replace")) is not None


def span(payload: Payload, first: int, last: int, unit: str = "lines") -> str:
    """Say how many units are missing and where, by the source's own line numbers."""
    count = last - first + 1
    if count == 1:
        return f"1 {unit.removesuffix('s')}, {payload.number(first)}"
    return f"{count:,} {unit}, {payload.number(first)}-{payload.number(last)}"


def standing(payload: Payload, kept: Collection[int]) -> set[int]:
    """Give the lines that stand in the view of ``kept``.

    A gap of one line that is no longer than its marker is shown instead. Input lines that look like ours are
    left out.
    """
    total = len(payload.lines)
    keep = {index for index in kept if 0 <= index < total and not is_forged(payload.shown(index))}
    for index in {0, total - 1, *(near for at in keep for near in (at - 1, at + 1))} if total else ():
        alone = (index == 0 or index - 1 in keep) and (index == total - 1 or index + 1 in keep)
        if 0 <= index < total and index not in keep and alone:
            line = payload.shown(index)
            if len(line) <= _MARKER_LENGTH and not is_forged(line):
                keep.add(index)
    return keep


def keep_lines(
    payload: Payload,
    kept: Collection[int],
    *,
    method: str,
    unit: str = "lines",
    describe: Callable[[range], str] | None = None,
) -> View:
    """Make the view that shows the `standing` lines of ``kept`` and a marker for each gap.

    ``describe`` gives the facts of a gap ("" for none), computed over exactly the lines of the range.
    """
    total = len(payload.lines)
    keep = standing(payload, kept)
    parts: list[str] = []
    markers = index = 0
    while index < total:
        if index in keep:
            parts.append(_ended(payload.shown(index)))
            index += 1
            continue
        stop = index
        while stop < total and stop not in keep:
            stop += 1
        facts = describe(range(index, stop)) if describe else ""
        parts.append(marker(span(payload, index, stop - 1, unit) + (f"; {facts}" if facts else "")))
        markers += 1
        index = stop
    return View("".join(parts), len(keep) == total, unit, len(keep), total, method, markers)


def _ended(line: str) -> str:
    """Give a last line without an end one, so that a marker or footer can follow."""
    return line if line.endswith(("\n", "\r")) else line + "\n"
