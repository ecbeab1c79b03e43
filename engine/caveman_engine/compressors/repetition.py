"""[repetition] Adjacent repeated lines or blocks, each shown once with the number of repeats. Nothing is lost.

Owns `folded`, which [log] and [terminal] use as their lossless view. Only exact repeats count, line ends included.
"""

from collections.abc import Iterator

from caveman_engine import markers
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_LONGEST_BLOCK = 200  # lines of a block that is looked for: bounds the work
_DISTINCT = 0.97  # share of different lines above which folding cannot be worth it
_FEWEST = 60  # characters that a fold must save: more than its marker


def detect(payload: Payload) -> float:
    """Never detected: used when named, and by the line compressors."""
    return 0.0 if len(payload.lines) < 2 else 0.3


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Yield the folded view."""
    del request
    if view := folded(payload):
        yield view


def folded(payload: Payload) -> View | None:
    """Fold adjacent repeats: the block once, then a marker ``the n lines above k times more, from-to``.

    None when there is nothing to fold, or the input has lines that look like markers or carry a gutter.
    """
    if len(set(payload.lines)) > _DISTINCT * len(payload.lines):
        return None
    if payload.gutters or any(map(markers.is_forged, payload.lines)):
        return None
    lines = [line + end for line, end in zip(payload.lines, payload.ends, strict=True)]
    parts: list[str] = []
    told = index = 0
    last: dict[str, int] = {}
    while index < len(lines):
        line = lines[index]
        period = index - last.get(line, index)
        times = _times(lines, index, period)
        if times and times * sum(map(len, lines[index : index + period])) >= _FEWEST:
            stop = index + times * period
            block = "the line" if period == 1 else f"the {period} lines"
            more = "once" if times == 1 else f"{times:,} times"
            where = f"{payload.number(index)}-{payload.number(stop - 1)}"
            parts.append(markers.marker(f"{block} above {more} more, {where}"))
            told += 1
            index = stop
            continue
        last[line] = index
        parts.append(line)
        index += 1
    if not told:
        return None
    return View("".join(parts), True, "lines", len(lines), len(lines), "folded", told)


def _times(lines: list[str], index: int, period: int) -> int:
    """Count how often the ``period`` lines before ``index`` are repeated from it on."""
    if not 0 < period <= _LONGEST_BLOCK:
        return 0
    block = lines[index - period : index]
    times = 0
    while lines[index + times * period : index + (times + 1) * period] == block:
        times += 1
    return times


COMPRESSOR = Compressor("repetition", detect, views, named_only=True)
