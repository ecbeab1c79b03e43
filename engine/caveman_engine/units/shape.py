"""What a content type's splitter gives: where the units stand, what they are called, how to point at them.

Owns the shape and what all line-based splitters share. Must never know a query.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from operator import add, sub

Span = tuple[int, int]

_LONGEST = (
    8000  # characters of a unit of lines; longer ones are cut so that a match shows with what is near it
)
_PART = 2000
_SPLIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Units:
    """Spans ``text[starts[i]:ends[i]]`` in source order, without overlap.

    ``selector(i, j)`` selects units i to j in a pointer, ``place(i, j)`` says in words where they are.
    ``lead`` stands before everything (a table's header); ``context(i)`` is a span that explains unit i (its
    heading, its class), or None. ``outline`` says what there is when nothing matches.
    """

    noun: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    selector: Callable[[int, int], str]
    place: Callable[[int, int], str]
    outline: Callable[[], list[str]]
    lead: Span = (0, 0)
    context: Callable[[int], Span | None] = lambda _: None

    def __len__(self) -> int:
        return len(self.starts)

    def unit(self, index: int) -> str:
        """Give one unit's text, with the indentation of its first line."""
        return self.text[_line_start(self.text, self.starts[index]) : self.ends[index]]


def _line_start(text: str, at: int) -> int:
    """Go back over the white space before ``at`` when it is an indentation."""
    start = at
    while start and text[start - 1] in " \t":
        start -= 1
    return start if not start or text[start - 1] == "\n" else at


class LineNumbers:
    """Numbers of lines, counted from 1, by offset. Counts on from the last answer: cheap when asked in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._number = 1

    def of(self, offset: int) -> int:
        """Give the number of the line that ``offset`` is in."""
        if offset < self._at:
            self._at, self._number = 0, 1
        self._number += self._text.count("\n", self._at, offset)
        self._at = offset
        return self._number


def rows(text: str) -> list[str]:
    """Give the lines without their ends; a last line end opens no further line."""
    found = text.split("\n")
    if len(found) > 1 and not found[-1]:
        found.pop()
    return found


def offsets(found: Sequence[str]) -> "array[int]":
    """Give where each of `rows` begins in the text."""
    starts = accumulate(map(len, found), initial=0)
    return array("q", map(add, starts, range(len(found))))


def line_starts(text: str) -> "array[int]":
    """Give where each line begins, a block at a time: the lines themselves never stand in memory together."""
    starts = array("q", [0] if not text else [])
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + _SPLIT) + 1 or len(text)
        starts.extend([begin + at for at in offsets(rows(text[begin:end]))])
        begin = end
    return starts


def ends_of(starts: Sequence[int], text: str) -> "array[int]":
    """Give the ends of units that each reach to the next."""
    return array("q", chain(islice(starts, 1, None), (len(text),)))


def of_lines(
    noun: str,
    text: str,
    starts: Sequence[int],
    *,
    context: Callable[[int], Span | None] | None = None,
    outline: Sequence[int] = (),
) -> Units:
    """Make units that begin at ``starts``, each reaching to the next: whole lines, pointed at by line.

    A unit that is too long is cut, at a line end where there is one. ``outline``: the units whose first lines
    are the outline; by default the first and the last.
    """
    begins, origin = _cut(text, starts)
    ends = ends_of(begins, text)
    numbers = LineNumbers(text)

    def reach(first: int, last: int) -> tuple[int, int]:
        begin = numbers.of(begins[first])
        return begin, numbers.of(max(begins[first], ends[last] - 1))

    def selector(first: int, last: int) -> str:
        begin, end = reach(first, last)
        return f"line={begin - 1},{end}"

    def place(first: int, last: int) -> str:
        begin, end = reach(first, last)
        return f"line {begin}" if begin == end else f"lines {begin}-{end}"

    return Units(
        noun,
        text,
        begins,
        ends,
        selector,
        place,
        lambda: [_first_line(text, starts[index]) for index in outline or sorted({0, len(starts) - 1})],
        context=(lambda index: context(origin[index] if origin else index)) if context else lambda _: None,
    )


def _cut(text: str, starts: Sequence[int]) -> tuple[Sequence[int], list[int]]:
    """Cut what is too long; give all starts and, when anything was cut, the index of each one's unit."""
    ends = ends_of(starts, text)
    if max(map(sub, ends, starts)) <= _LONGEST:
        return starts, []
    begins: list[int] = []
    origin: list[int] = []
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        at = start
        begins.append(at)
        while end - start > _LONGEST and end - at > _PART:
            at = _break(text, at)
            begins.append(at)
        origin += [index] * (len(begins) - len(origin))
    return begins, origin


def _break(text: str, at: int) -> int:
    """Find where the part that begins at ``at`` ends: behind a line end, else a space, else anywhere."""
    for sign, least in (("\n", 1), (" ", _PART // 2)):
        found = text.rfind(sign, at + least, at + _PART)
        if found >= 0:
            return found + 1
    return at + _PART


def _first_line(text: str, start: int) -> str:
    return text[start : start + 200].split("\n", 1)[0].rstrip()
