"""[json] One JSON value, one a line (NDJSON) or several in a row, with a few lines of talk before or after.

Views: minified or with records as columns, both lossless; then an outline within the budget. Owns how JSON is
found in a payload and what the views count; the layouts are in ``_json_records`` and ``_json_outline``.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from caveman_engine import jsontext, markers
from caveman_engine.compressors._json_outline import Outline, leaves
from caveman_engine.compressors._json_records import lay, spell, stray
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_STARTS = re.compile(r'\s*(?:\{\s*(?:"|\})|\[\s*(?:["\[\{\]]|-?\d|true\b|false\b|null\b)|"\s*[\{\[])')
_ENDS = ("}", "]", '"')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)')
_OTHER = re.compile(r"(?:[\s\[\]{},:\d.eE+-]|true|false|null|NaN|Infinity)*+[A-Za-z]{0,8}")
_MOST_TALK = 10  # lines before the JSON, such as a command's echo
_MOSTLY = 0.8  # of a text with talk is JSON
_ASKED = 7_000  # characters of an outline that answers a query
_SHORT = 4_000  # characters of an outline beside a lossless view that is not three times as long
_PARSED = 200_000  # characters up to which detection parses instead of looking


@dataclass(frozen=True)
class _Found:
    """The JSON of a payload: one value, or the list of ``several``; its unit; the talk around it."""

    root: Any
    spelling: jsontext.Spelling
    unit: str
    several: bool = False
    before: str = ""
    after: str = ""

    @cached_property
    def leaves(self) -> int:
        """Count the values that stand in the root."""
        return leaves(self.root)

    def around(self, hidden: str) -> str:
        """Give a view's text: escapes restored, between what stood before and after."""
        return self.before + self.spelling.restore(hidden) + "\n" + self.after


def detect(payload: Payload) -> float:
    """Tell JSON by parsing a short text, or by both ends and the first tokens of a long one."""
    text = payload.text
    start = text[:4000].lstrip("\ufeff \t\r\n")
    if _STARTS.match(start) and text[-2000:].rstrip().endswith(_ENDS):
        if len(text) > _PARSED and _OTHER.fullmatch(_STRING.sub("", start)):
            return 0.9
        if len(text) <= _PARSED and _is_json(text):
            return 0.95
    return _lines_score(payload) or (0.7 if _between_talk(payload) else 0.0)


def _is_json(text: str) -> bool:
    try:
        json.loads(text.lstrip("\ufeff"))
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _lines_score(payload: Payload) -> float:
    """Tell NDJSON: nearly all of a sample of lines are objects or lists of their own."""
    lines = payload.lines
    step = max(1, len(lines) // 40)
    sample = [line for line in lines[::step] if line.strip()]
    good = sum(line.lstrip().startswith(("{", "[")) and _is_json(line) for line in sample)
    return 0.9 if len(sample) > 1 and good >= 0.8 * len(sample) else 0.0


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the minified or columnar view, then an outline within the budget."""
    try:
        found = _read(payload)
    except jsontext.Duplicate:
        return
    except RecursionError:
        yield from _deep(payload)
        return
    if found is None:
        return
    try:
        for whole in _lossless(found):
            yield whole
            # All of a small document is no outline of it.
            if request.query is None and not request.hard and len(whole.text) <= 3 * _SHORT:
                request = replace(request, budget=min(request.budget, _SHORT))
        yield from _lossy(found, request)
    except RecursionError:
        yield from _deep(payload)


def _read(payload: Payload) -> _Found | None:
    """Parse what is JSON in the payload; None when it is not mostly JSON."""
    text = payload.text.lstrip("\ufeff")
    try:
        document = jsontext.parse(text)
    except jsontext.Duplicate:
        raise
    except ValueError:
        return _mixed_lines(payload, text) or _with_talk(payload)
    values = document.values
    if len(values) == 1:
        return _Found(values[0], document.spelling, "records" if _is_records(values[0]) else "values")
    lines = sum(1 for line in payload.lines if line.strip())
    return _Found(values, document.spelling, "lines" if lines == len(values) else "records", several=True)


def _mixed_lines(payload: Payload, text: str) -> _Found | None:
    """Read NDJSON in which some lines are none."""
    lines = [line for line in payload.lines if line.strip()]
    sample = lines[:: max(1, len(lines) // 40)]
    if len(lines) < 3 or sum(line.lstrip().startswith("{") for line in sample) < 0.5 * len(sample):
        return None
    spelling = jsontext.Spelling(text)
    values: list[Any] = []
    strays = 0
    for line in lines:
        try:
            (value,) = jsontext.parse(line, spelling).values
        except jsontext.Duplicate:
            raise
        except ValueError:
            value, strays = stray(line, spelling), strays + 1
        values.append(value)
    return _Found(values, spelling, "lines", several=True) if strays <= 0.3 * len(lines) else None


def _between_talk(payload: Payload) -> jsontext.Node | None:
    """Find the one container that stands between a few lines of talk and is most of the text."""
    offset = 0
    for line, end in zip(payload.lines[: _MOST_TALK + 1], payload.ends, strict=False):
        if _STARTS.match(line + ' "'):
            node = jsontext.root(payload.text, offset)
            covers = node is not None and node.end - node.start >= _MOSTLY * len(payload.text)
            return node if covers else None
        offset += len(line) + len(end)
    return None


def _with_talk(payload: Payload) -> _Found | None:
    """Read one JSON value between a few lines that are none."""
    node = _between_talk(payload)
    if node is None:
        return None
    text = payload.text
    before, after = text[: node.start], text[node.end :].strip("\r\n")
    if "\n" + markers.SIGIL in f"\n{before}\n{after}":
        return None
    try:
        document = jsontext.parse(text[node.start : node.end])
    except jsontext.Duplicate:
        raise
    except ValueError:
        return None
    root = document.values[0]
    unit = "records" if _is_records(root) else "values"
    return _Found(root, document.spelling, unit, before=before, after=after)


def _is_records(value: Any) -> bool:
    return type(value) is list and sum(type(item) is dict for item in value) > len(value) // 2


def _deep(payload: Payload) -> Iterator[View]:
    """Give the minified form of nesting that no parser takes, as long as it is balanced JSON by its tokens."""
    text = payload.text
    node = jsontext.root(text)
    if node is None or text[node.end :].strip():
        return
    try:
        tight = jsontext.minify(text)
    except ValueError:
        return
    yield View(tight + "\n", lossless=True, unit="values", shown=1, total=1, method="minify")


def _lossless(found: _Found) -> Iterator[View]:
    """Give the tables where there are records, otherwise minified JSON."""
    laid = lay(found.root)
    method = "columns" if "\n" in laid else "minify"
    if method == "minify" and found.several:
        laid = "\n".join(map(spell, found.root))
    text = found.around(laid)
    total = len(found.root) if found.unit != "values" else found.leaves
    if not any(markers.is_forged(line) for line in text.split("\n")):
        yield View(text, lossless=True, unit=found.unit, shown=total, total=total, method=method)


def _lossy(found: _Found, request: Request) -> Iterator[View]:
    """Give the outline; its unit is values wherever records are shown without some of theirs."""
    outline = Outline(found.root, found.spelling, request.query)
    if request.query and type(found.root) in {dict, list}:
        outline.rank()
    budget = min(request.budget, _ASKED) if request.query and not request.hard else request.budget
    text = outline.show(found.root, max(200, budget - len(found.before) - len(found.after)))
    if found.unit != "values" and 0 < outline.rows < len(found.root):
        unit, shown, total = found.unit, outline.rows, len(found.root)
    else:
        unit, shown, total = "values", outline.shown, found.leaves
    if shown >= total:
        return
    notice = markers.marker("outline of JSON; … stands where something is left out")
    yield View(notice + found.around(text), False, unit, shown, total, "outline", markers=1)


COMPRESSOR = Compressor("json", detect, views)
