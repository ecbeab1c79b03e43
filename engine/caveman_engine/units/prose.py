"""Units of prose and Markdown: paragraphs, each with the heading it stands under."""

import re
from bisect import bisect_right

from caveman_engine.units.shape import Span, Units, of_lines

_GAP = re.compile(r"\n(?:[ \t\r]*\n)+")
_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
# Markdown's two forms, and the numbered ones of RFCs and manuals.
# Markdown's two forms, and the numbered ones of RFCs and manuals.
_HEADING = re.compile(
    r"#{1,6}[ \t]+\S[^\n]*|[^\n]+\n(?:=+|-+)[ \t\r]*(?=\n|$)|\d+(?:\.\d+)*\.?[ \t]+\S[^\n]{0,75}(?=\n|$)"
)


def paragraphs(text: str) -> Units:
    """Make each block between blank lines a unit; a fenced block is never cut at a blank line inside it."""
    fences = _fences(text)
    gaps = _GAP.finditer(text)
    starts = [0, *(gap.end() for gap in gaps if gap.end() < len(text) and not _inside(fences, gap.start()))]
    headings = {index: end for index, start in enumerate(starts) if (end := _heading_end(text, start))}
    heads = list(headings)

    def heading(index: int) -> Span | None:
        position = bisect_right(heads, index) - 1
        if position < 0 or heads[position] == index:
            return None
        head = heads[position]
        return starts[head], headings[head]

    return of_lines("paragraphs", text, starts, context=heading, outline=heads)


def _heading_end(text: str, start: int) -> int | None:
    """Give where the heading that begins at ``start`` ends; most paragraphs show at once that they are none."""
    first = text[start : start + 1]
    if first != "#" and not first.isdigit():
        line_end = text.find("\n", start, start + 200)
        if line_end < 0 or text[line_end + 1 : line_end + 2] not in ("=", "-"):
            return None
    found = _HEADING.match(text, start)
    return found.end() if found else None


def _fences(text: str) -> list[Span]:
    """Give the fenced spans; one that is never closed reaches to the end."""
    out: list[Span] = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark
        elif mark[1] == opened[1]:
            out.append((opened.start(), mark.end()))
            opened = None
    return [*out, (opened.start(), len(text))] if opened else out


def _inside(spans: list[Span], at: int) -> bool:
    position = bisect_right(spans, (at, len(spans) and spans[-1][1])) - 1
    return position >= 0 and at < spans[position][1]
