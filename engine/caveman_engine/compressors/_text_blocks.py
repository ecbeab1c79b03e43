"""How a text is built: headings, paragraphs, list items, options, fences, tables, page furniture.

Reads Markdown, manual pages, RFCs and plain prose of any script by the look of their lines; rows are line
indices. A piece is the least that is shown or left out: lines up to the end of a sentence, an item, a whole
fence, or a sentence out of a very long line.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

HEADING, PROSE, ITEM, TERM, FENCE, TABLE, HEAD, CODE, FURNITURE = (
    "heading", "prose", "item", "term", "fence", "table", "head", "code", "furniture",
)  # fmt: skip

_MARKDOWN = re.compile(r"\s{0,3}(#{1,6})\s+\S")
_NUMBERED = re.compile(
    r"\s{0,3}(?:(?:Appendix\s+)?(?:\d{1,2}|[A-Z])\.)((?:\d{1,2}\.)*)\d*\s+[A-Z][^.!?]{2,70}$|\s{3,14}((?:\d{1,2}\.){2,5})\s+\S.{1,70}$"
)
_CAPITALS = re.compile(r"[^\W\d_][^a-z.!?]{2,60}$")
_TITLE = re.compile(r"[^\W\d_a-z]\S*(?: [^\s]+){0,6}(?<![.!?,;:。！？，；：、])$")
_MANUAL = re.compile(r" {2,4}[^\W\d_]\S*(?: \S+){0,8}$")
_UNDERLINE = re.compile(r"(=|-|~|\^){3,}\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•o]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_TERM = re.compile(r"\s{2,10}(?:-{1,2}[\w?]|--?\[?no|[+-][\w-]+[ =\[]|\$?[A-Z][A-Z\d]*_[A-Z\d_]+\b)")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULER = re.compile(r"[-=+]{3,}")
_RULED = "-+|=: \t"
_DRAWN = re.compile(r"[|+]")
# A contents line ends in a page number behind dots, or behind so many blanks.
_LEADER, _PAGES = 6, re.compile(r"\d{1,4}|[ivxl]+")
_LINKED = re.compile(r"\s*(?:[-*+]|\d+\.)\s*\[[^\]]+\]\(#[^)]*\)\s*$")
# No longer line is a term.
_TERM_LENGTH = 72
_SENTENCE_END = re.compile(r"[.!?:;][\"')\]]*(?=\s|$)|[。！？；]")
_SPLIT = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[^\W\d_a-z])|(?<=[。！？])|(?<=[؟۔])\s*")
# A line longer than this is a paragraph of its own and is cut into sentences.
LONG_LINE = 320
_LONG_ITEM = 4
_LONG_FENCE = 100
_DRAWING = 12
# Without a sentence's end, a line is cut after so many characters.
_STRETCH, _SHORTEST = 480, 40
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
# A line seen this often is a running head.
_RUNNING = 4


@dataclass(slots=True)
class Piece:
    """Rows ``first`` to ``last``; a ``part`` is only ``text`` of row ``first``.

    ``level`` is a heading's; ``place`` counts the pieces before it in its block; ``owner`` is the piece that it
    explains (-1: none).
    """

    first: int
    last: int
    kind: str
    text: str
    level: int = 0
    place: int = 0
    owner: int = -1
    part: bool = False


def pieces(lines: Sequence[str], longest: int | None = None) -> list[Piece]:
    """Cut a text into pieces that cover all rows but the blank ones, in order.

    ``longest`` bounds the stretches, in characters, of a line that has no sentences.
    """
    stretch = min(_STRETCH, max(_SHORTEST, longest)) if longest else _STRETCH
    found: list[Piece] = []
    running = _running(lines)
    term = -1
    for first, last, kind, level in _blocks(lines, running):
        if kind == HEADING:
            term = -1
        made = len(found)
        found.extend(_cut(lines, first, last, kind, level, stretch))
        if kind == TERM:
            term = made
        elif term >= 0 and kind in {PROSE, ITEM, CODE}:
            for piece in found[made:]:
                piece.owner = term
    return found


def _running(lines: Sequence[str]) -> set[str]:
    """Find heads and feet of pages: equal but for digits, with a page's number or between form feeds."""
    short = (line for line in lines if len(line) <= LONG_LINE)
    paged = Counter(_mask(line) for line in short if re.search(r"\S\s{3,}\S.*\d|\[Page \d|^\f", line))
    return {mask for mask, times in paged.items() if times >= _RUNNING and mask.strip()}


def _mask(line: str) -> str:
    return re.sub(r"\d+", "0", line.strip())


def _blocks(lines: Sequence[str], running: set[str]) -> Iterator[tuple[int, int, str, int]]:
    """Give (first row, last row, kind, level) of each block."""
    row, total = 0, len(lines)
    if lines and lines[0].strip() == "---":
        stop = next((i for i in range(1, min(total, 60)) if lines[i].strip() == "---"), 0)
        if stop:
            yield 0, stop, HEAD, 0
            row = stop + 1
    while row < total:
        if not lines[row].strip():
            row += 1
            continue
        kind, level, last = _kind(lines, row, running)
        yield row, last, kind, level
        row = last + 1


def _kind(lines: Sequence[str], row: int, running: set[str]) -> tuple[str, int, int]:
    """Name the block that begins at ``row`` and find its last row."""
    line = lines[row]
    if _runs(line, running):
        return FURNITURE, 0, row
    if fence := _FENCE.match(line):
        return FENCE, 0, _fence_end(lines, row, fence[1])
    if level := _heading(lines, row):
        underlined = row + 1 < len(lines) and _UNDERLINE.match(lines[row + 1]) is not None
        return HEADING, level, row + 1 if underlined and not _MARKDOWN.match(line) else row
    if _is_contents(line):
        return FURNITURE, 0, row
    if _is_table(line):
        return TABLE, 0, _table_end(lines, row)
    if _TERM.match(line) or _hangs(lines, row):
        return TERM, 0, row + _said_at_once(lines, row)
    kind = ITEM if _ITEM.match(line) else PROSE
    return kind, 0, _paragraph(lines, row, running)


def _runs(line: str, running: set[str]) -> bool:
    return bool(running) and len(line) <= LONG_LINE and _mask(line) in running


def _is_contents(line: str) -> bool:
    """Tell a line of a table of contents by its page number and the leader before it, or by its link."""
    text = line.rstrip()
    number = text[len(text.rstrip("0123456789")) :] or text[len(text.rstrip("ivxl")) :]
    before = text[: len(text) - len(number)]
    leader = before[len(before.rstrip(" .\t")) :]
    if _PAGES.fullmatch(number) and len(leader) >= _LEADER and len(leader) < len(before):
        return not leader.strip() or leader.count(".") > 1
    return _LINKED.match(line) is not None


def _is_table(line: str) -> bool:
    return _ROW.match(line) is not None or (not line.strip(_RULED) and _RULER.search(line) is not None)


def _hangs(lines: Sequence[str], row: int) -> bool:
    """Tell a term by what explains it: the next line stands further in."""
    line = lines[row]
    if (
        row + 1 >= len(lines)
        or not line[:1].isspace()
        or len(line.strip()) > _TERM_LENGTH
        or _ITEM.match(line)
    ):
        return False
    after = lines[row + 1]
    return bool(after.strip()) and not _ITEM.match(after) and _indent(after) >= _indent(line) + 2


def _said_at_once(lines: Sequence[str], row: int) -> int:
    """Give 1 for a term whose explanation is the next line alone, else 0."""
    if not _hangs(lines, row):
        return 0
    after = lines[row + 1]
    beyond = lines[row + 2] if row + 2 < len(lines) else ""
    return int(len(after) <= LONG_LINE and (not beyond.strip() or _indent(beyond) < _indent(after)))


def _table_end(lines: Sequence[str], row: int) -> int:
    """Take a drawing or a small table whole; a long table row by row."""
    for last in range(row, min(row + _DRAWING, len(lines))):
        if last + 1 == len(lines) or not (lines[last + 1].strip() and _DRAWN.search(lines[last + 1])):
            return last
    return row


def _fence_end(lines: Sequence[str], row: int, mark: str) -> int:
    """Find a fence's closing line, or the end of the text."""
    for stop in range(row + 1, len(lines)):
        line = lines[stop].strip()
        if line.startswith(mark) and not line.strip(mark[0]):
            return stop
    return len(lines) - 1


def _heading(lines: Sequence[str], row: int) -> int:
    line = lines[row]
    if found := _MARKDOWN.match(line):
        return len(found[1])
    after = lines[row + 1] if row + 1 < len(lines) else ""
    alone = row == 0 or not lines[row - 1].strip()
    if not alone or len(line) > 90 or not line.strip():
        return 0
    if _UNDERLINE.match(after) and len(after.strip()) >= 0.5 * len(line.strip()):
        return 1 if after.lstrip().startswith("=") else 2
    if found := _NUMBERED.match(line):
        return 1 + (found[1] or found[2] or "").count(".")
    cased = line.upper() != line.lower()
    if cased and _CAPITALS.match(line):
        return 1
    # A script without capitals shows a title only by its shortness.
    if (
        _TITLE.match(line)
        and len(line) <= (60 if cased else 20)
        and (not after.strip() or after[:3].isspace())
    ):
        return 1
    return 2 if _MANUAL.match(line) and after[:6].isspace() and after.strip() else 0


def _paragraph(lines: Sequence[str], row: int, running: set[str]) -> int:
    """Find the last row of a paragraph or item: up to a blank line or the beginning of another block."""
    last = row
    indent = _indent(lines[row])
    while last + 1 < len(lines):
        line = lines[last + 1]
        if not line.strip() or len(line) > LONG_LINE or _runs(line, running) or _begins(line):
            break
        if _indent(line) < indent and (_TERM.match(line) or _hangs(lines, last + 1)):
            break
        last += 1
    return last


def _begins(line: str) -> bool:
    """Tell a line that begins a block of its own even right below a paragraph."""
    return any(pattern.match(line) for pattern in (_FENCE, _MARKDOWN, _ITEM)) or _is_table(line)


def _indent(line: str) -> int:
    """Give the column in which a line begins."""
    return len(line[: len(line) - len(line.lstrip())].expandtabs())


def _cut(lines: Sequence[str], first: int, last: int, kind: str, level: int, stretch: int) -> Iterator[Piece]:
    """Cut a block: prose at sentence ends, a very long line into its sentences."""
    if first == last and len(lines[first]) > LONG_LINE and kind in {PROSE, ITEM}:
        for place, part in enumerate(_parts(lines[first], stretch)):
            yield Piece(first, first, kind, part, 0, place, part=True)
        return
    if kind == FENCE and last - first > _LONG_FENCE:
        yield from _stanzas(lines, first, last)
        return
    if kind not in {PROSE, ITEM} or (kind == ITEM and last - first < _LONG_ITEM):
        yield Piece(first, last, kind, "\n".join(lines[first : last + 1]), level)
        return
    start, place = first, 0
    for row in range(first, last + 1):
        if row == last or _SENTENCE_END.search(lines[row]):
            yield Piece(start, row, kind, "\n".join(lines[start : row + 1]), 0, place)
            start, place = row + 1, place + 1


def _stanzas(lines: Sequence[str], first: int, last: int) -> Iterator[Piece]:
    """Cut a fence that is a document of its own at its blank lines."""
    start = first
    for row in range(first, last + 1):
        if row == last or not lines[row].strip():
            if any(line.strip() for line in lines[start : row + 1]):
                yield Piece(start, row, CODE, "\n".join(lines[start : row + 1]).rstrip())
            start = row + 1


def _parts(line: str, stretch: int) -> Iterator[str]:
    """Cut a very long line at the ends of its sentences, and what has none into stretches of words."""
    for sentence in _SPLIT.split(line):
        at = 0
        while sentence and at < len(sentence):
            stop = at + stretch
            if stop < len(sentence):
                space = sentence.rfind(" ", at + stretch // 2, stop)
                stop = space + 1 if space >= 0 else _character_end(sentence, stop)
            if part := sentence[at:stop].strip():
                yield part
            at = stop


def _character_end(text: str, index: int) -> int:
    """Move past marks that belong to the character before them."""
    while index < len(text) and (text[index] in _JOINERS or unicodedata.combining(text[index])):
        index += 1
    return index
