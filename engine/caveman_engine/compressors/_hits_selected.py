"""The selected view of search output: which hits matter, under their files, and counts for the others.

Owns the scores of hits and the cutting of very long lines. Parsing is `_hits`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import log2

from caveman_engine import markers, selection, templates
from caveman_engine.compressors import _hits
from caveman_engine.compressors._hits import Hit
from caveman_engine.compressors.lines import question
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance
from caveman_engine.terms import query_terms, terms
from caveman_engine.views import Request, View

_LONG, _AROUND = 240, 180  # a longer line is cut to so many characters around the match
_SHOWN, _NAMED = 0.6, 0.15  # shares of the budget for hits and for the names of the other files
_LEAST = 0.6  # below this score a hit is one more like one that is shown
_MOST_OTHER = 12  # lines that are no hits and are shown
_FIRST_OF_FILE, _RELEVANT, _INSIDE, _DEFINES, _REPEATS = 3.0, 12.0, 6.0, 1.0, 0.3
_DEFINITION = re.compile(
    r"\s*(?:(?:pub(?:\(\w+\))?|export|default|async|static|public|private|protected|abstract|final) +)*"
    r"(?:def|class|fn|func|function|struct|enum|trait|impl|interface|type|const|#define|typedef)\b"
)


def selected(payload: Payload, hits: Sequence[Hit], request: Request, name: str, least: int = 0) -> View:
    """Show the hits that matter within the budget, by file, and say how many more there are.

    ``least`` characters may be taken when neither a question nor a bound says otherwise.
    """
    bound = request.query or request.hard
    room = request.budget * _SHOWN if bound else max(least, request.budget)
    worth = scores(hits, request.query)
    if not bound:
        worth = {position: score for position, score in worth.items() if score >= _LEAST}
    files: dict[str, list[int]] = {}
    for position, hit in enumerate(hits):
        files.setdefault(hit.path, []).append(position)
    # The only hit of a file is shown with its path.
    alone = {path for path, positions in files.items() if len(positions) == 1}
    said = [hit.path + hit.glue + hit.rest if hit.path in alone else hit.rest for hit in hits]
    kept = selection.fill([line[:_LONG] for line in said], worth, int(room))
    needle = _needle([hit.text for hit in hits], request.query)
    unseen: dict[str, int] = {}
    out = [markers.marker(_JSON_NOTE)] if name == "json" else []
    for path, positions in files.items():
        shown = [hits[position] for position in positions if position in kept]
        if shown:
            out += _file(
                path, shown, len(positions), needle, headed=len(positions) > 1 or name in ("json", "heading")
            )
        else:
            unseen[path] = len(positions)
    if unseen:
        out.append(markers.marker(_unseen(unseen, int(request.budget * _NAMED))))
    out += _others(payload, hits, name)
    unit = "paths" if name == "paths" else "lines" if any(hit.context for hit in hits) else "hits"
    told = sum(line.startswith(markers.SIGIL) for line in out)
    return View("".join(out), False, unit, len(kept), len(hits), "selected", told)


_JSON_NOTE = "rg --json as path, line_number:line; left out: offsets, submatches, begin and end records"


def scores(hits: Sequence[Hit], query: str | None) -> dict[int, float]:
    """Score hits by rarity of what was found, being the first of their file, and relevance to the question."""
    out: dict[int, float] = {}
    for members in templates.group([hit.text for hit in hits]).values():
        worth = min(4.0, log2(len(hits) / len(members)))
        worth += _DEFINES * (_DEFINITION.match(hits[members[0]].text) is not None)
        for rank, position in enumerate(members):
            out[position] = worth if rank == 0 else worth * _REPEATS
    seen = set()
    for position, hit in enumerate(hits):
        if hit.path not in seen:
            seen.add(hit.path)
            out[position] += _FIRST_OF_FILE
        if hit.context:
            out[position] *= _REPEATS
    if query:
        asked = _asked(hits, query)
        out = {position: asked[position] + 0.3 * score for position, score in out.items()}
        if question.FIRST.search(query):
            out[0] += _RELEVANT
        if question.LAST.search(query):
            out[len(hits) - 1] += _RELEVANT
    return out


def _asked(hits: Sequence[Hit], query: str) -> list[float]:
    """Score by relevance; a word of the question inside a longer one counts too, as grep finds it."""
    matched = relevance(query, [f"{hit.path} {hit.text}" for hit in hits])
    best = max(matched, default=0.0) or 1.0
    wanted = [term for term in query_terms(query) if len(term) > 3]
    return [
        _RELEVANT * score / best if score else _INSIDE * any(term in hit.text.lower() for term in wanted)
        for hit, score in zip(hits, matched, strict=True)
    ]


def _file(path: str, shown: Sequence[Hit], total: int, needle: str, *, headed: bool) -> Iterator[str]:
    """Give a file's lines: its path once, the hits, how many more."""
    headed = headed and path != ""
    if headed:
        yield _hits.heading(path, shown[0].glue, total) + "\n"
    for hit in shown:
        number = re.match(r"\d+", hit.rest)
        if headed or not path:
            yield from _line(hit.rest, needle, f"line {number[0]}" if number else "")
        else:
            place = path + (f"{hit.glue}{number[0]}" if number else "")
            yield from _line(path + hit.glue + hit.rest, needle, place)
    if total > len(shown):
        yield markers.marker(f"{total - len(shown):,} more of {total:,} in {path or 'this search'}")


def _line(line: str, needle: str, place: str = "") -> Iterator[str]:
    """Give a line, or of a very long one the part around the match under a marker that says what is missing.

    ``place`` is where the line stands, which a part that begins later does not say.
    """
    if len(line) <= _LONG:
        yield line + "\n"
        return
    at = line.lower().find(needle) if needle else 0
    start = max(0, min(at - _AROUND // 3, len(line) - _AROUND)) if at > 0 else 0
    if start < 30:
        start = 0
    part = line[start : start + _AROUND]
    after = len(line) - start - len(part)
    of = place if place and start else "the next line"
    yield markers.marker(f"{of} is cut: {start:,} characters before this part, {after:,} after it")
    yield (" " if part.startswith(markers.SIGIL) else "") + part + "\n"


def _needle(texts: Sequence[str], query: str | None) -> str:
    """Find what was searched for: a word of the question in a long line, else the longest word in all lines."""
    long = [text.lower() for text in texts if len(text) > _LONG]
    for term in sorted(query_terms(query or ""), key=lambda term: -len(term)):
        if any(term in text for text in long):
            return term
    sample = [text.lower() for text in texts[:: max(1, len(texts) // 50)]]
    common = set(terms(min(sample, key=len, default="")))
    for text in sample:
        common = {word for word in common if word in text}
    return max(sorted(common), key=len, default="")


def _unseen(unseen: Mapping[str, int], room: int) -> str:
    """Name the files without a shown hit and their counts, all of them or none."""
    total = sum(unseen.values())
    said = f"{total:,} more in {len(unseen):,} other {'file' if len(unseen) == 1 else 'files'}"
    names = ", ".join(f"{path} {count}" for path, count in unseen.items())
    return f"{said}: {names}" if len(names) <= room else said


def _others(payload: Payload, hits: Sequence[Hit], name: str) -> Iterator[str]:
    """Show the lines that are no hits, such as notices; of ``rg --json`` the summary."""
    taken = {hit.index for hit in hits}
    lines = [line for i, line in enumerate(payload.lines) if i not in taken and line.strip() and line != "--"]
    if name == "json":
        lines = [line for line in lines if '"type":"summary"' in line]
    elif name == "heading":
        paths = {hit.path for hit in hits}
        lines = [line for line in lines if line not in paths]
    for line in lines[:_MOST_OTHER]:
        yield from _line(line, "") if name != "json" else [line + "\n"]
    if len(lines) > _MOST_OTHER:
        yield markers.marker(f"{len(lines) - _MOST_OTHER:,} other lines that are no hits")
