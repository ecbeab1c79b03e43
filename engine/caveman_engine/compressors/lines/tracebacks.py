"""Stack traces in a run of lines: where they begin and end, in Python, Java, JavaScript, .NET and Ruby.

Owns their bounds and that they stand or fall as one.
"""

import re
from collections.abc import Iterator, Sequence

from caveman_engine.compressors.lines.levels import TROUBLE, Digest

_FRAME = re.compile(
    r"\s+(?:at\s+\S|File \"|in \S+ \(|from \S+:\d+|\.\.\. \d+ (?:more|common frames))|\s*(?:Caused by|Suppressed): "
)
_TRACEBACK = re.compile(r"[\s|+]*Traceback \(most recent call last\)")
_BLOCK = 60  # lines of one traceback that stay together
_LESS = 2.5  # what a frame is worth less than its exception


def score(found: Digest) -> None:
    """Let the lines of a traceback stand or fall with its exception."""
    for start, stop in tracebacks(found.lines):
        best = max((found.scores.get(i, 0.0) for i in range(start, stop)), default=0.0)
        if best >= TROUBLE:
            for i in range(start, min(stop, start + _BLOCK)):
                found.raise_to(i, best - _LESS)


def tracebacks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield [start, stop) of each run of stack frames with the exception's own lines around it."""
    index, total = 0, len(lines)
    while index < total:
        line = lines[index]
        start = index
        if _TRACEBACK.match(line):
            margin = _indent(line)
            index += 1
            while index < total and lines[index].strip() and _indent(lines[index]) > margin:
                index += 1
            index = min(total, index + 1)
            yield start, index
        elif line[:1] in " \tCS" and _FRAME.match(line):
            while index < total and _FRAME.match(lines[index]):
                index += 1
            yield max(0, start - 1), index
        else:
            index += 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
