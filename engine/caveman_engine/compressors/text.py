"""[text] prose, Markdown, manual pages and RFCs in any script: headings, what opens a part, rules, names, numbers.

With a question the passages that answer it, under their headings. Kept lines are the text's own; only a line that
is a whole paragraph is cut, at the ends of sentences.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from caveman_engine import markers
from caveman_engine.compressors import _passages, _text_blocks, _text_salience
from caveman_engine.compressors._text_blocks import Piece
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

# Prose says little by accident: below this length all of it is shown.
_SHORT = 4_000
# A text of this length keeps this share of itself; the share falls with length, as a longer one repeats itself.
_KEPT, _FULL, _GROWTH_BELOW, _GROWTH = 0.36, 20_000, 0.8, 0.6
# A gap of so many passages says which lines it stands for.
_WIDE = 10
# More than this is no text that anyone wrote, and weighing all of it takes too long.
_LONGEST, _MOST_PIECES = 16_000_000, 250_000
# A single passage of this length is shown: a marker would hardly be shorter.
_WORTH_A_MARKER = 80
# So many lines are looked at to tell a text, and of each so many characters.
_SAMPLE, _READ = 400, 400
# Prose has this share of letters and more letters than this to a line.
_PROSE, _LINE = 0.85, 12
# Written words stand between spaces, unless their script does without.
_LEAST_SPACES = 0.03
_MARKDOWN = re.compile(
    r"\s{0,3}#{1,6}\s+\S|\s*[-*+]\s+\S|\s*\d+\.\s+\S|.*\[[^\]]+\]\([^)]+\)|\s*```|\s*>\s|\|.*\|$"
)
_MANUAL = re.compile(
    r"(?:\S+\([1-9]\w{0,3}\)\s.*\S+\([1-9]\w{0,3}\)|NAME|SYNOPSIS|DESCRIPTION|OPTIONS|名前|書式|説明)\s*$"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
# A comma or full stop behind a word, in the marks of several scripts.
_STOP = re.compile(r"[^\W_A-Z][.,;!?][\"')\]]*(?:\s|$)|[。！？，、؟،।]")


def detect(payload: Payload) -> float:
    """Score manual pages, RFCs, Markdown, then prose; anything with words could be text."""
    lines = [line for line in payload.lines[:_SAMPLE] if line.strip()]
    if not lines:
        return 0.0
    letters = sum(len(word) for line in lines for word in _WORDS.findall(line))
    joined = "".join(lines)
    if joined.isascii() and joined.count(" ") < _LEAST_SPACES * len(joined):
        return 0.0
    share = letters / max(1, len(joined.replace(" ", "")))
    if share < 0.4:
        return 0.1
    if any(line.startswith(("Request for Comments:", "Internet-Draft")) for line in lines[:12]):
        return 0.85
    if _MANUAL.match(lines[0]) or sum(_MANUAL.match(line) is not None for line in lines) >= 3:
        return 0.85
    marked = sum(_MARKDOWN.match(line) is not None for line in lines)
    fences = sum(line.startswith(("```", "~~~")) for line in lines)
    headings = _headings(payload.lines[:_SAMPLE])
    if fences >= 2 and (headings or marked > fences):
        return 0.92
    if headings >= 2 and (fences or marked >= 0.3 * len(lines)):
        return 0.7
    stops = sum(_STOP.search(line) is not None for line in lines) / len(lines)
    words = letters / len(lines)
    if words <= _LINE:
        return 0.25
    return 0.65 if share > _PROSE and stops > 0.25 else 0.35


def _headings(lines: Sequence[str]) -> int:
    """Count Markdown headings, which stand alone; comments of a script or a configuration come in blocks."""
    around = ["", *lines, ""]
    return sum(
        line.startswith("#")
        and line.lstrip("#")[:1] == " "
        and not before.strip()
        and not after.startswith("#")
        for before, line, after in zip(around, lines, around[2:], strict=False)
    )


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the passages for the question, or the most telling pieces; nothing for a short text without a bound."""
    text = payload.text
    if not request.hard and not _SHORT <= len(text) <= _LONGEST:
        return
    pieces = _text_blocks.pieces(payload.lines, request.budget // 4 if request.hard else None)
    if len(pieces) > _MOST_PIECES:
        return
    passages = [
        _passages.Passage(piece.text, piece.level, piece.owner, score)
        for piece, score in zip(pieces, _text_salience.worth(pieces), strict=True)
    ]
    if request.query:
        length, method = _passages.answer_length(request, text), "text-passages"
    else:
        length, method = request.budget if request.hard else _wish(len(text)), "text-telling"
    chosen = {i for i in _passages.choose(passages, request.query, length) if passages[i].prior > 0}
    if chosen:
        yield _written(payload, pieces, chosen, method)


def _wish(length: int) -> int:
    """Give the length of a view that nobody bounded: a share that falls with size."""
    growth = _GROWTH_BELOW if length < _FULL else _GROWTH
    return int(_KEPT * _FULL * (length / _FULL) ** growth)


def _written(payload: Payload, pieces: Sequence[Piece], chosen: Collection[int], method: str) -> View:
    """Write the chosen pieces in order and a marker for each gap; blank rows go with the gap they stand in."""
    kept = {i for i in chosen if not _forges(payload, pieces[i])}
    kept.update(
        i
        for i, piece in enumerate(pieces)
        if len(piece.text) <= _WORTH_A_MARKER
        and kept.issuperset({i - 1, i + 1})
        and not _forges(payload, piece)
    )
    parts: list[str] = []
    marked, after = 0, 0
    for i in sorted(kept):
        if i > after:
            parts.append(markers.marker(_gap(payload, pieces[after:i])))
            marked += 1
        elif i and pieces[i].first > pieces[i - 1].last + 1:
            parts.append(payload.shown(pieces[i].first - 1))
        parts.append(_shown(payload, pieces[i]))
        after = i + 1
    if after < len(pieces):
        parts.append(markers.marker(_gap(payload, pieces[after:])))
        marked += 1
    return View("".join(parts), False, "passages", len(kept), len(pieces), method, marked)


def _forges(payload: Payload, piece: Piece) -> bool:
    return any(markers.is_forged(payload.shown(row)) for row in range(piece.first, piece.last + 1)) or (
        piece.part and markers.is_forged(piece.text)
    )


def _gap(payload: Payload, gap: Sequence[Piece]) -> str:
    said = f"{len(gap):,} {'passage' if len(gap) == 1 else 'passages'}"
    if len(gap) < _WIDE:
        return said
    return f"{said}, lines {payload.number(gap[0].first)}-{payload.number(gap[-1].last)}"


def _shown(payload: Payload, piece: Piece) -> str:
    if piece.part:
        return piece.text + "\n"
    rows = "".join(payload.shown(row) for row in range(piece.first, piece.last + 1))
    return rows if rows.endswith(("\n", "\r")) else rows + "\n"


COMPRESSOR = Compressor("text", detect, views)
