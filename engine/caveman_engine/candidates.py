"""Which of very many units answer a query, best first, without cutting all of them into terms.

The letters of each query term are looked for in the whole text first (`str.find` speed); only units that hold
the most telling of them are tokenised and scored by the house's BM25. Owns this search; knows no content type
and no display.
"""

import heapq
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from caveman_engine.ranking import idf, score, stem_forms
from caveman_engine.terms import index_terms, query_terms, stem

_TOKENISED = 250_000  # characters of units that are scored exactly: about 50 ms
_MARKS = "[\u0300-\u036f]"


@dataclass(frozen=True, slots=True)
class Found:
    """Indices of matching units with their scores, best first, ties by position.

    ``matched`` counts all units that match; where there are more than can be scored, by their letters alone.
    """

    ranked: list[tuple[float, int]]
    matched: int


def search(query: str, text: str, starts: Sequence[int], ends: Sequence[int]) -> Found:
    """Rank the units ``text[starts[i]:ends[i]]`` by BM25. Same answer on every run and machine."""
    wanted = sorted(query_terms(query))
    folded = fold(text)
    units = [folded[start:end] for start, end in zip(starts, ends, strict=True)]
    holding = {term: hits for term in wanted if (hits := _holding(term, folded, units))}
    if not holding:
        return Found([], 0)
    letters = _by_letters(holding, len(units))
    chosen = _affordable(letters, starts, ends)
    keep = {form for term in holding for form in (term, *stem_forms(term))}
    cut = {i: [form for form in index_terms(text[starts[i] : ends[i]]) if form in keep] for i in chosen}
    everything = len(cut) == len(letters)
    having = _having(holding, cut) if everything else {term: len(hits) for term, hits in holding.items()}
    weights = [(term, idf(len(units), having[term])) for term in wanted if having.get(term)]
    average = max(1.0, len(text) / len(units))
    scored = ((score(weights, cut[i], ends[i] - starts[i], average)[0], i) for i in cut)
    ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))
    return Found(ranked, len(ranked) if everything else len(letters))


def _by_letters(holding: dict[str, list[int]], total: int) -> dict[int, float]:
    """Add up, for each unit that holds the letters of any term, how telling its terms are."""
    worth: dict[int, float] = {}
    for term in sorted(holding):
        weight = idf(total, len(holding[term]))
        for index in holding[term]:
            worth[index] = worth.get(index, 0.0) + weight
    return worth


def _affordable(worth: dict[int, float], starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Give the most telling units, in order of position, as many as may be cut into terms."""
    if sum(ends[index] - starts[index] for index in worth) <= _TOKENISED:
        return sorted(worth)
    chosen: list[int] = []
    size = 0
    # Units are short: some thousands are always more than enough.
    for index in heapq.nsmallest(5000, worth, key=lambda index: (-worth[index], index)):
        size += ends[index] - starts[index]
        if size > _TOKENISED and chosen:
            break
        chosen.append(index)
    return sorted(chosen)


def _having(holding: dict[str, list[int]], cut: dict[int, list[str]]) -> dict[str, int]:
    """Count the units that truly hold each term: letters alone also stand inside other words."""
    forms = {term: set(stem_forms(term)) for term in holding}
    return {term: sum(not forms[term].isdisjoint(cut[i]) for i in hits) for term, hits in holding.items()}


def _holding(term: str, folded: str, units: Sequence[str]) -> list[int]:
    """Give the units with the letters that all forms of a term begin with."""
    needle = _needle(term)
    if needle in folded:
        hits = [index for index, unit in enumerate(units) if needle in unit]
        if len(needle) > 3 and not needle.isdigit():
            return hits
        # Short letters stand inside many words: only at the beginning of one, and numbers only whole.
        bound = re.compile(rf"(?<![a-z0-9]){re.escape(needle)}" + (r"(?![0-9])" if needle.isdigit() else ""))
        return [index for index in hits if bound.search(units[index])] if needle.isascii() else hits
    if not needle.isascii() or re.search(_MARKS, folded):
        return _spread(needle, units)
    return _parts(term, folded, units)


def _spread(needle: str, units: Sequence[str]) -> list[int]:
    """Find letters that combining marks may stand between."""
    pattern = re.compile(f"{_MARKS}*".join(map(re.escape, needle)))
    return [index for index, unit in enumerate(units) if pattern.search(unit)]


def _parts(term: str, folded: str, units: Sequence[str]) -> list[int]:
    """Find an identifier that the text joins with other signs than the query does."""
    if len(term) < 6 or not term.isalnum():
        return []
    pattern = re.compile("[-_. /]?".join(term))
    return (
        [index for index, unit in enumerate(units) if pattern.search(unit)] if pattern.search(folded) else []
    )


def _needle(term: str) -> str:
    """Give the letters that a term shares with its stem; Porter's ``i`` stands for a ``y``."""
    root = stem(term)
    same = next(
        (i for i, (a, b) in enumerate(zip(term, root, strict=False)) if a != b), min(len(term), len(root))
    )
    if same > 3 and term[same - 1] == "i" and root != term:
        same -= 1
    return term[: max(same, 1)]


def fold(text: str) -> str:
    """Give the text in lower case with accents folded, every character at its old place."""
    if text.isascii():
        return text.lower()
    # U+0130 is the one character whose lower case is longer.
    lowered = text.replace("\u0130", "i").lower()
    return lowered.translate({ord(char): _plain(char) for char in set(lowered) if char > "\x7f"})


def _plain(char: str) -> str:
    """Give the first character of a character's compatibility decomposition."""
    return unicodedata.normalize("NFKD", char)[0].lower()[:1]
