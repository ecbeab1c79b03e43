"""Search output, line by line: which lines are hits, of which file, at which line. Owns the forms of grep and rg.

Forms: ``path:12:text`` and ``path-12-text`` (context), ``path:text``, a path as heading over ``12:text``, ``12:text``
of a single file, lists of paths, and the records of ``rg --json``. A line is taken apart so that
``path + glue + rest`` is the line again.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from caveman_engine.compressors.lines import stamps

# A path does not begin like "12:", holds no colon but a drive's, and no white space: times of day would be paths.
_NUMBERED = re.compile(r"((?:[A-Za-z]:[\\/])?(?!\d+[:-])[^:\s\"'<>|(){}\[\],;=]{1,250}):(\d{1,7})([:-])")
_CONTEXT = re.compile(r"-(\d{1,7})-")
_BARE = re.compile(
    r"((?:[A-Za-z]:[\\/])?(?:[^:\s\"'<>|(){}\[\],;=]*/)?[^:\s\"'<>|(){}\[\],;=/]+\.[A-Za-z]\w{0,4}):(?!//|:|\d+[:-])(?=.)"
)
_ALONE = re.compile(r"(\d{1,7})([:-])(?!\d\d[:.]\d\d)")
_PATH = re.compile(r"(?:[\w.@~+-]+)?(?:/[\w.@~+%=,()\[\]-]+)+/?$|[\w.@+-]+\.\w{1,5}$")
_COMPILER = re.compile(
    r"(?:\d+:)? ?(?:fatal |internal )?(?:error|warning|note|info|style|[A-Z]{1,4}\d{3,4})\b[: \[]"
)
_LOOK = 400  # lines from which the form is told


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the output: ``path + glue + rest``; ``text`` is the found line; ``context``: not a match itself."""

    index: int
    path: str
    glue: str
    rest: str
    text: str
    context: bool = False


def heading(path: str, glue: str, count: int) -> str:
    """Give the line that stands over the hits of a file, or over the names in a folder."""
    return f"{path}{'/' if glue == '/' else ''} ({count:,})"


def form(lines: Sequence[str]) -> tuple[str, float]:
    """Tell the form of search output and the share of lines that have it; ("", 0.0) for anything else."""
    sample = [line for line in lines[:: max(1, len(lines) // _LOOK)] if line.strip() and line != "--"]
    if len(sample) < 4 or stamps.share(sample) >= 0.5:
        return "", 0.0
    if (
        sample[0].startswith('{"type":"begin"')
        or sum('"type":"match"' in line for line in sample) > len(sample) / 2
    ):
        return "json", 1.0
    numbered = [_NUMBERED.match(line) for line in sample]
    found = {
        "numbered": sum(m is not None for m in numbered) + _contexts(sample, {m[1] for m in numbered if m}),
        "bare": sum(_BARE.match(line) is not None for line in sample),
        "paths": sum(_PATH.match(line) is not None for line in sample),
        "alone": sum(_ALONE.match(line) is not None for line in sample),
    }
    best = max(found, key=lambda name: found[name])
    share = found[best] / len(sample)
    if best == "alone":
        return ("heading" if found["paths"] else "alone"), share if _rising(sample) or found["paths"] else 0.0
    if best == "numbered" and not _is_search(sample):
        return best, 0.25
    if best == "bare" and not _is_bare_search(sample):
        return best, 0.25
    if best == "paths" and len({line.lstrip("./").partition("/")[0] for line in sample}) > 0.3 * len(sample):
        return best, 0.0  # paths of one listing begin alike; names and base64 do not
    return best, share


def _contexts(sample: Sequence[str], paths: Collection[str]) -> int:
    """Count the lines that begin with one of the paths and go on as context lines do."""
    return sum(any(line[: m.start()] in paths for m in _CONTEXT.finditer(line, 0, 400)) for line in sample)


def _is_bare_search(sample: Sequence[str]) -> bool:
    """Tell hits from settings with dotted names, which never repeat, and from what compilers say."""
    found = [m for line in sample if (m := _BARE.match(line))]
    counted = all(m.string[m.end() :].isdigit() for m in found)
    repeated = len({m[1] for m in found}) <= 0.6 * len(found)
    return (counted or repeated) and sum(map(_judged, sample)) <= 0.2 * len(sample)


def _judged(line: str) -> bool:
    """Tell what compilers and linters say about a file."""
    place = _NUMBERED.match(line) or _BARE.match(line)
    return place is not None and _COMPILER.match(line, place.end()) is not None


def _rising(sample: Sequence[str]) -> bool:
    numbers = [int(found[1]) for line in sample if (found := _ALONE.match(line))]
    return all(a < b for a, b in pairwise(numbers))


def _is_search(sample: Sequence[str]) -> bool:
    """Tell hits from what compilers and linters say about places, and from clock times."""
    numbered = [found for line in sample if (found := _NUMBERED.match(line))]
    judged = sum(map(_judged, sample))
    named = sum(re.search(r"[/.\\]|^[A-Z]\w+$", found[1]) is not None for found in numbered)
    return len(numbered) > 0 and judged < 0.2 * len(numbered) and named > 0.7 * len(numbered)


def parse(lines: Sequence[str], name: str) -> list[Hit]:
    """Give the hits, in order; lines that are none are left out."""
    if name == "numbered":
        return _numbered(lines)
    if name == "paths":
        parted = (line.rpartition("/") for line in lines)
        return [Hit(i, path, "/", rest, rest) for i, (path, glue, rest) in enumerate(parted) if glue and rest]
    if name == "bare":
        bare = [(i, m) for i, line in enumerate(lines) if (m := _BARE.match(line))]
        return [Hit(i, m[1], ":", lines[i][m.end() :], lines[i][m.end() :]) for i, m in bare]
    return _under_headings(lines)


def _numbered(lines: Sequence[str]) -> list[Hit]:
    found = [_NUMBERED.match(line) for line in lines]
    paths = Counter(m[1] for m in found if m)
    hits = []
    for i, (line, m) in enumerate(zip(lines, found, strict=True)):
        if m:
            hits.append(Hit(i, m[1], ":", line[m.end(1) + 1 :], line[m.end() :]))
            continue
        for context in _CONTEXT.finditer(line, 0, 400):
            if line[: context.start()] in paths:
                path = line[: context.start()]
                hits.append(
                    Hit(i, path, "-", line[context.start() + 1 :], line[context.end() :], context=True)
                )
                break
    return hits


def _under_headings(lines: Sequence[str]) -> list[Hit]:
    hits = []
    path = ""
    for i, line in enumerate(lines):
        if m := _ALONE.match(line):
            hits.append(Hit(i, path, "", line, line[m.end() :], context=m[2] == "-"))
        elif _PATH.match(line):
            path = line
    return hits


def from_json(lines: Sequence[str]) -> list[Hit] | None:
    """Give the hits in the records of ``rg --json``; None where a record is not one of its own."""
    hits = []
    for i, line in enumerate(lines):
        try:
            record: Any = json.loads(line) if line.strip() else {"type": "blank"}
            kind = record["type"]
            if kind not in ("match", "context"):
                continue
            data = record["data"]
            path, text = data["path"]["text"], data["lines"]["text"].rstrip("\r\n")
            number = data["line_number"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        if "\n" in text or "\r" in text:  # a multi-line match: its first line stands for it
            text = text.splitlines()[0]
        sep = ":" if kind == "match" else "-"
        hits.append(Hit(i, path, sep, f"{number}{sep}{text}", text, context=kind == "context"))
    return hits
