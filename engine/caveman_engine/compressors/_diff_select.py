"""Which blocks of a diff answer a question, or fit a bound. Owns blocks, their rank and the list of the rest."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from caveman_engine.compressors import _generated, _passages, _wording
from caveman_engine.compressors._diff_parse import File, Hunk
from caveman_engine.compressors._diff_view import Writer, changed_lines, name_of, path_of, totals
from caveman_engine.payload import Payload
from caveman_engine.views import Request, View

_BLOCK_LINES = 24
# The lines that open a commit: hash, author, date, subject.
_OPENING = 8
# The tier of a generated file's hunks.
_GENERATED = 3
# What a block costs beside its lines: its file's header or a marker.
_OVERHEAD = 90
# The share of a hard bound that the list of files may take.
_NAMES = 0.5
_REMOVED = re.compile(r"\b(?:removed?|deleted?|dropped|old|before|previous(?:ly)?|formerly)\b", re.IGNORECASE)
# A question for the version is answered where a manifest sets it, however often the word stands elsewhere.
_VERSION = re.compile(r"\b(?:version|release)\b", re.IGNORECASE)
_SETS_VERSION = re.compile(
    r"^[-+]{1,2}\s*(?:[\"']version[\"']|<version>|(?:export\s+)?(?:\w+[_.])?version(?:__)?\b)\s*(?::=|[:=]|(?<=>)).{0,9}\d",
    re.IGNORECASE | re.MULTILINE,
)
_ADDED = re.compile(r"\b(?:added?|new|now|introduced?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that are shown or left out together. ``hunk`` is None for prose; ``about`` is what they belong to."""

    first: int
    stop: int
    about: str = ""
    hunk: Hunk | None = None
    # 0 comes first when no question ranks the blocks.
    tier: int = 1


@dataclass(frozen=True, slots=True)
class Segment:
    """A file, or the prose before one."""

    first: int
    stop: int
    blocks: Sequence[Block]
    file: File | None = None


def best_blocks(payload: Payload, files: list[File], request: Request) -> View:
    """Show the best blocks within the budget, in order; every other file by its name and counts."""
    segments = list(_segments(payload, files))
    blocks = [block for segment in segments for block in segment.blocks]
    # Every file is named, unless a hard bound has no room for it.
    names = sum(len(_said(payload.lines, file)) + 2 for file in files)
    room = min(names, int(_NAMES * request.budget)) if request.hard else len(payload.text)
    length = _passages.answer_length(request, payload.text) - (room if request.hard else 0)
    chosen = _chosen(payload, blocks, request.query, length)
    writer = Writer(payload)
    hidden: list[Segment] = []
    for segment in segments:
        kept = [block for block in segment.blocks if block.first in chosen]
        if not kept:
            hidden.append(segment)
            continue
        _list(payload, writer, hidden, room)
        hidden = []
        if segment.file is None:
            _partly(writer, segment.first, segment.stop, kept)
        else:
            _file(payload, writer, segment.file, kept)
    _list(payload, writer, hidden, room)
    return writer.view("diff-blocks", files)


def _segments(payload: Payload, files: list[File]) -> Iterator[Segment]:
    lines, at = payload.lines, 0
    for file in files:
        if at < file.first:
            yield Segment(at, file.first, list(_prose_blocks(lines, at, file.first)))
        yield Segment(file.first, file.stop, list(_file_blocks(lines, file)), file)
        at = file.stop
    if at < len(lines):
        yield Segment(at, len(lines), list(_prose_blocks(lines, at, len(lines))))


def _prose_blocks(lines: list[str], first: int, stop: int) -> Iterator[Block]:
    """Cut prose at blank lines; what opens the whole text comes first."""
    opening = min(stop, first + _OPENING)
    yield Block(first, opening, tier=int(first > 0))
    start = opening
    for index in range(opening, stop):
        if not lines[index].strip() or index - start >= _BLOCK_LINES:
            yield Block(start, index + 1)
            start = index + 1
    if start < stop:
        yield Block(start, stop)


def _file_blocks(lines: list[str], file: File) -> Iterator[Block]:
    """Cut long hunks where the text steps back to the margin, or after a fixed number of lines."""
    path = path_of(lines, file)
    changed = [line[1:] for line in changed_lines(lines, file)]
    tier = _GENERATED if _generated.why(path, changed) else 2 if "test" in path.lower() else 1
    for hunk in file.hunks:
        about = f"{path} {hunk.section}"
        start = hunk.header + 1
        for index in range(start + 1, hunk.stop):
            long = index - start
            if long >= 2 * _BLOCK_LINES or (long >= _BLOCK_LINES // 2 and not lines[index][1:].strip()):
                yield Block(start, index, about, hunk, tier)
                start = index
        if start < hunk.stop:
            yield Block(start, hunk.stop, about, hunk, tier)


def _chosen(payload: Payload, blocks: list[Block], query: str | None, left: int) -> set[int]:
    """Fill ``left`` characters with the best blocks; the first prose is not passed over for a better match."""
    texts = ["\n".join(payload.lines[block.first : block.stop]) for block in blocks]
    scores = _scores(query, blocks, texts) if query else [0.0] * len(blocks)
    order = sorted(range(len(blocks)), key=lambda i: (blocks[i].tier > 0, -scores[i], blocks[i].tier, i))
    chosen: set[int] = set()
    for i in order:
        cost = _cost(texts[i], blocks[i]) + _OVERHEAD
        if cost <= left:
            chosen.add(blocks[i].first)
            left -= cost
    return chosen


def _scores(query: str, blocks: Sequence[Block], texts: Sequence[str]) -> list[float]:
    """Rank by the words of the question; one that asks what was removed or added prefers such lines."""
    said = [f"{block.about}\n{text}" for block, text in zip(blocks, texts, strict=True)]
    scores = _wording.relevance(query, said)
    for sign, asked in (("-", _REMOVED), ("+", _ADDED)):
        if asked.search(query):
            having = [
                block.hunk is not None and (text[:1] == sign or f"\n{sign}" in text)
                for block, text in zip(blocks, texts, strict=True)
            ]
            scores = [score + 0.5 * has for score, has in zip(scores, having, strict=True)]
    if _VERSION.search(query):
        most = max(scores, default=0.0)
        sets = [
            block.tier < _GENERATED and bool(_SETS_VERSION.search(text))
            for block, text in zip(blocks, texts, strict=True)
        ]
        scores = [score + most * has for score, has in zip(scores, sets, strict=True)]
    return scores


def _cost(text: str, block: Block) -> int:
    """Estimate what a block takes; a hunk shown whole loses context."""
    if block.hunk is None or block.stop - block.first < block.hunk.stop - block.hunk.header - 1:
        return len(text)
    return _OVERHEAD + sum(len(line) + 1 for line in text.split("\n") if line[:1] in {"+", "-"})


def _file(payload: Payload, writer: Writer, file: File, kept: Sequence[Block]) -> None:
    """Show a file with the chosen blocks of its hunks; hunks without one are counted together."""
    writer.header(file)
    start = file.header_stop
    for hunk in file.hunks:
        inside = [block for block in kept if block.hunk is hunk]
        if not inside:
            continue
        if start < hunk.header:
            writer.mark(start, hunk.header, _counts(payload.lines, start, hunk.header))
        if sum(block.stop - block.first for block in inside) == hunk.stop - hunk.header - 1:
            writer.hunk(hunk)
        else:
            writer.lines(hunk.header, hunk.header + 1)
            _partly(writer, hunk.header + 1, hunk.stop, inside, payload.lines)
        start = hunk.stop
    if start < file.stop:
        writer.mark(start, file.stop, _counts(payload.lines, start, file.stop))


def _partly(
    writer: Writer, first: int, stop: int, kept: Sequence[Block], lines: list[str] | None = None
) -> None:
    """Show blocks in order with a marker for each gap; with ``lines`` it counts the changes left out."""
    at = first
    for block in [*kept, Block(stop, stop)]:
        if at < block.first:
            writer.mark(at, block.first, _counts(lines, at, block.first) if lines else "")
        if lines:
            writer.lines(block.first, block.stop)
        else:
            writer.prose(block.first, block.stop)
        at = block.stop


def _counts(lines: list[str], first: int, stop: int) -> str:
    added = sum(line.startswith("+") for line in lines[first:stop])
    removed = sum(line.startswith("-") for line in lines[first:stop])
    return f"+{added:,} -{removed:,}"


def _list(payload: Payload, writer: Writer, hidden: Sequence[Segment], room: int) -> None:
    """Name the files of a run of segments that is left out, as far as ``room`` characters go."""
    if not hidden:
        return
    files = [segment.file for segment in hidden if segment.file]
    named = [_said(payload.lines, file) for file in files]
    fitting = sum(total <= room for total in accumulate(len(name) + 2 for name in named))
    said = f"{totals(files)}: {', '.join(named[:fitting])}"
    if fitting < len(named):
        said += f"{', ' if fitting else ''}{len(named) - fitting} more"
    writer.mark(hidden[0].first, hidden[-1].stop, said if files else "")


def _said(lines: list[str], file: File) -> str:
    """Name a file with its counts; one without changed lines by what its header says of it."""
    name = name_of(lines, file)
    header = lines[file.first : file.header_stop]
    old = next((line.removeprefix("rename from ") for line in header if line.startswith("rename from ")), "")
    mode = next((line for line in header if line.startswith("new mode ")), "")
    said = f"{old} => {name}" if old else name
    if file.hunks or not (old or mode):
        said += f" +{file.added:,} -{file.removed:,}"
    return f"{said} {mode}" if mode else said
