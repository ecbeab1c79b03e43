"""What an elision says. Owns the sigil, the footer and the building of views that keep whole lines.

A line of a view that begins with the sigil is ours. An input line that begins with it is never shown bare, so
no input can forge one. Knows nothing of content types, tokens or stores.
"""

import re
from collections.abc import Callable, Collection

from caveman_engine.payload import Payload
from caveman_engine.views import View

SIGIL = "[caveman:"
FOOTER = re.compile(r"\[caveman: (?:showing|all) [\d,]+ .{0,120}ccr_[0-9a-f]{32}.{0,40}\]\s*\Z")


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


def keep_lines(
    payload: Payload,
    kept: Collection[int],
    *,
    method: str,
    unit: str = "lines",
    describe: Callable[[range], str] | None = None,
) -> View:
    """Make the view that shows the lines of ``kept`` as they stand and a marker for each gap.

    ``describe`` gives the facts of a gap ("" for none), computed over exactly the lines of the range. A gap of
    one line that is no longer than its marker is shown instead. Input lines that look like ours are left out.
    """
    total = len(payload.lines)
    keep = {index for index in kept if 0 <= index < total and not is_forged(payload.shown(index))}
    parts: list[str] = []
    shown = markers = 0
    index = 0
    while index < total:
        if index in keep:
            parts.append(_ended(payload.shown(index)))
            shown += 1
            index += 1
            continue
        stop = index
        while stop < total and stop not in keep:
            stop += 1
        line = payload.shown(index)
        if stop - index == 1 and not is_forged(line) and len(line) <= 100:
            parts.append(_ended(line))
            shown += 1
        else:
            facts = describe(range(index, stop)) if describe else ""
            parts.append(marker(span(payload, index, stop - 1, unit) + (f"; {facts}" if facts else "")))
            markers += 1
        index = stop
    return View("".join(parts), shown == total, unit, shown, total, method, markers)


def _ended(line: str) -> str:
    """Give a last line without an end one, so that a marker or footer can follow."""
    return line if line.endswith(("\n", "\r")) else line + "\n"
