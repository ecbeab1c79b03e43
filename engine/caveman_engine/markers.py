"""What an elision says. Owns the sigil, the footer and the building of views that keep whole lines.

A line of a view that begins with the sigil is ours. An input line that begins with it is never shown bare, so
no input can forge one. Knows nothing of content types, tokens or stores.
"""

import re
from collections.abc import Callable, Collection

from caveman_engine.payload import Payload
from caveman_engine.views import View

SIGIL = "[caveman:"
_MARKER_LENGTH = 100  # characters that a marker with facts may take
FOOTER = re.compile(r"\[caveman: (?:showing |all )?[\d,]+ .{0,120}ccr_[0-9a-f]{32}.{0,40}\]\s*\Z")


def marker(text: str) -> str:
    """Give a marker line with its end."""
    return f"{SIGIL} {text}]\n"


def footer(view: View, way_back: str) -> str:
    """Give the last line of a view: how much of the source stands in it and how to get the rest."""
    unit = view.unit if view.total != 1 else view.unit.removesuffix("s")
    if view.shown < view.total:
        return marker(f"showing {view.shown:,} of {view.total:,} {unit}; original: {way_back}").rstrip("\n")
    return marker(f"all {view.total:,} {unit}; original: {way_back}").rstrip("\n")


def is_forged(line: str) -> bool:
    """Tell an input line that would look like one of ours."""
    return line.startswith(SIGIL)


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
