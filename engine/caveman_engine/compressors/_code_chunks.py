"""Which parts of a source file answer a question. Owns how a file is cut into parts and what each one needs.

A part is the head of a symbol (comment, decorators, signature), a stretch of a body, or rows between symbols.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from caveman_engine.compressors import _passages
from caveman_engine.compressors._code_outline import Fold, Outline, Symbol
from caveman_engine.payload import Payload
from caveman_engine.views import Request

_ROWS = 24
_WORD = re.compile(r"[\w$]+")
_INNER_CAPITAL = re.compile(r"[a-z\d][A-Z]")
# A word that the question writes as code does.
_AS_CODE = re.compile(
    r"(?:\b(?:def|fn|func|function|class|method|struct|signature of|body of) +|[`.])([\w$]+)|(?<![\w$])([\w$]+)\("
)
_DECORATOR = re.compile(r"\s*(?:@|#\[|\[\w+)")
# The share of the budget that the body of a symbol named in the question may take.
_NAMED = 0.8


def folds(payload: Payload, outline: Outline, request: Request) -> list[Fold]:
    """Give the folds that leave the best parts for the question, or the heads when there is none."""
    lines = payload.lines
    heads = _heads(lines, outline)
    parts = list(_parts(lines, outline, heads))
    tops = set(heads.values())
    passages = [
        _passages.Passage("\n".join(lines[first : last + 1]), needs=needed, prior=float(first in tops))
        for (first, last), needed in zip(parts, _needs(parts, outline.symbols, heads), strict=True)
    ]
    length = _passages.answer_length(request, payload.text)
    named = list(_named(request.query or "", outline.symbols, heads, lines, length))
    asked = [i for i, (first, _) in enumerate(parts) if any(start <= first <= last for start, last in named)]
    chosen = _passages.choose(passages, request.query, length, asked)
    return [Fold(*run) for run in _gaps(parts, chosen)]


def _named(
    query: str, symbols: Sequence[Symbol], heads: dict[int, int], lines: Sequence[str], length: int
) -> Iterator[tuple[int, int]]:
    """Give the rows of symbols that the question names: whole ones for a clear name, else their heads."""
    words = set(_WORD.findall(query))
    clear = {word for word in words if "_" in word.strip("_") or _INNER_CAPITAL.search(word)}
    clear.update(word for pair in _AS_CODE.findall(query) for word in pair if word)
    left = _NAMED * length
    for symbol in symbols:
        if symbol.name not in words or (symbol.name not in clear and len(symbol.name) < 3):
            continue
        head = heads[symbol.first]
        whole = sum(len(line) + 1 for line in lines[head : symbol.last + 1])
        last = symbol.last if symbol.name in clear and whole <= left else symbol.body - 1
        left -= sum(len(line) + 1 for line in lines[head : last + 1])
        if left > 0:
            yield head, last


def _heads(lines: Sequence[str], outline: Outline) -> dict[int, int]:
    """Give for each symbol's first row the row where its comment and decorators begin."""
    heads = {}
    for symbol in outline.symbols:
        row = symbol.first
        while row > 0 and (row - 1 in outline.comments or _DECORATOR.match(lines[row - 1])):
            row -= 1
        heads[symbol.first] = row
    return heads


def _parts(lines: Sequence[str], outline: Outline, heads: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Cut the rows at symbols, then long stretches at blank rows."""
    cuts = {0, len(lines), *heads.values()}
    for symbol in outline.symbols:
        cuts.update((symbol.body, symbol.last + 1))
    ordered = sorted(cut for cut in cuts if cut <= len(lines))
    for start, stop in pairwise(ordered):
        first = start
        for row in range(start, stop):
            rows = row - first
            if rows >= 2 * _ROWS or (rows >= _ROWS // 2 and not lines[row].strip()):
                yield first, row - 1
                first = row
        if first < stop:
            yield first, stop - 1


def _needs(parts: Sequence[tuple[int, int]], symbols: Sequence[Symbol], heads: dict[int, int]) -> list[int]:
    """Give for each part the part with the head of the innermost symbol round it, other than its own; or -1."""
    starts = {first: i for i, (first, _) in enumerate(parts)}
    waiting = sorted(symbols, key=lambda symbol: symbol.first, reverse=True)
    around: list[Symbol] = []
    found = []
    for first, _ in parts:
        while waiting and heads[waiting[-1].first] < first:
            around.append(waiting.pop())
        while around and around[-1].last < first:
            around.pop()
        found.append(starts[heads[around[-1].first]] if around else -1)
    return found


def _gaps(parts: Sequence[tuple[int, int]], chosen: Collection[int]) -> Iterator[tuple[int, int]]:
    """Give the rows of neighbouring parts that were not chosen."""
    start = -1
    for i, (first, _) in enumerate(parts):
        if i in chosen:
            if start >= 0:
                yield start, first - 1
            start = -1
        elif start < 0:
            start = first
    if start >= 0:
        yield start, parts[-1][1]
