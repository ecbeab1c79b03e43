"""Which of very many units answer a query, best first, without cutting all of them into terms.

The letters of each query term are looked for in the whole text first (`str.find` speed); only units that hold
the most telling of them are tokenised and scored by the house's BM25. Owns this search; knows no content type
and no display.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from caveman_engine.ranking import idf, score, stem_forms
from caveman_engine.terms import index_terms, query_terms, stem, terms

_TOKENISED = 250_000  # characters of units that are scored exactly: about 50 ms
_TOGETHER = 0.25  # breaks ties between units that hold the same words
_RARE = 5000  # occurrences that are looked up one by one
_ONLY_NUMBERS = "".join(char if char.isdigit() else " " for char in map(chr, range(128)))
_ONLY_WORDS = "".join(char if char.isalnum() else " " for char in map(chr, range(128)))
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
    letters = _Letters(text, starts, ends)
    holding = {term: hits for term in wanted if (hits := letters.holding(term))}
    if not holding:
        return Found([], 0)
    matched = set().union(*holding.values())
    chosen = _affordable(holding, matched, starts, ends)
    keep = {form for term in holding for form in (term, *stem_forms(term))}
    cut = {i: [form for form in index_terms(text[starts[i] : ends[i]]) if form in keep] for i in chosen}
    everything = len(cut) == len(matched)
    having = _having(holding, cut) if everything else {term: len(hits) for term, hits in holding.items()}
    weights = [(term, idf(len(starts), having[term])) for term in wanted if having.get(term)]
    average = max(1.0, len(text) / len(starts))
    scored = (
        (score(weights, cut[i], ends[i] - starts[i], average)[0] * letters.together(query, i), i) for i in cut
    )
    ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))
    return Found(ranked, len(ranked) if everything else len(matched))


def _affordable(
    holding: dict[str, list[int]], matched: set[int], starts: Sequence[int], ends: Sequence[int]
) -> list[int]:
    """Give the units whose terms together are the rarest, as many as may be cut into terms."""
    if sum(ends[index] - starts[index] for index in matched) <= _TOKENISED:
        return sorted(matched)
    chosen: list[int] = []
    size = 0
    for group in _groups(holding, len(starts)):
        for index in group:
            size += ends[index] - starts[index]
            if size > _TOKENISED and chosen:
                return sorted(chosen)
            chosen.append(index)
    return sorted(chosen)


def _groups(holding: dict[str, list[int]], total: int) -> list[list[int]]:
    """Group units by which terms they hold, the most telling groups first, each in order of position.

    Only units with one of the rarer terms are looked at, as long as there are enough of them.
    """
    rarest = sorted(holding, key=lambda term: (len(holding[term]), term))
    looked = dict.fromkeys(holding[rarest[0]], 0.0)
    for term in rarest[1:]:
        if len(holding[term]) <= _RARE or len(looked) < 100:
            looked.update((index, 0.0) for index in holding[term] if index not in looked)
    for term in rarest:
        weight = idf(total, len(holding[term]))
        for index in (
            looked.keys() & set(holding[term]) if len(looked) < len(holding[term]) else holding[term]
        ):
            if index in looked:
                looked[index] += weight
    groups: dict[float, list[int]] = {}
    for index in sorted(looked):
        groups.setdefault(looked[index], []).append(index)
    return [groups[worth] for worth in sorted(groups, reverse=True)]


def _having(holding: dict[str, list[int]], cut: dict[int, list[str]]) -> dict[str, int]:
    """Count the units that truly hold each term: letters alone also stand inside other words."""
    forms = {term: set(stem_forms(term)) for term in holding}
    return {term: sum(not forms[term].isdisjoint(cut[i]) for i in hits) for term, hits in holding.items()}


class _Letters:
    """Finds the units in which the letters of a term stand."""

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self._text, self._several = _folding(text)
        self._starts = starts
        self._ends = ends

    def holding(self, term: str) -> list[int]:
        """Give the units with the letters that all forms of a term begin with, in order.

        Short letters stand inside many words: they count only where a word begins, and numbers only whole.
        """
        needle = _needle(term)
        count = self._text.count(needle)
        if not count or any(spelt in needle for spelt in self._several):
            return self._spread(needle)
        number = needle.isdigit()
        narrow = needle.isascii() and (number or len(needle) <= 3)
        if count <= _RARE:
            return self._indices(self._places(needle, narrow=narrow, number=number))
        if not (narrow and self._text.isascii()):
            return [index for index, unit in enumerate(self._units) if needle in unit]
        units, needle = (self._numbers, f" {needle} ") if number else (self._words, f" {needle}")
        return [index for index, unit in enumerate(units) if needle in unit]

    def together(self, query: str, index: int) -> float:
        """Give the factor, 1 to 1 + `_TOGETHER`, for the neighbours in the query that stand together in a unit."""
        words = fold(query).split()
        unit = self._text[self._starts[index] : self._ends[index]]
        pairs = [f"{one} {two}" in unit for one, two in pairwise(words)]
        return 1 + _TOGETHER * sum(pairs) / max(1, len(pairs))

    def _places(self, needle: str, *, narrow: bool, number: bool) -> Iterator[int]:
        text, size = self._text, len(needle)
        at = text.find(needle)
        while at >= 0:
            before, after = text[at - 1 : at], text[at + size : at + size + 1]
            if not narrow or not (
                before.isdigit() or (before.isalpha() and not number) or (number and after.isdigit())
            ):
                yield at
            at = text.find(needle, at + 1)

    @cached_property
    def _units(self) -> list[str]:
        return self._cut(self._text)

    @cached_property
    def _words(self) -> list[str]:
        """Give the units with a space for everything that is in no word, one more at each end."""
        return self._cut(f" {self._text.translate(_ONLY_WORDS)} ", 2)

    @cached_property
    def _numbers(self) -> list[str]:
        """Give the units with a space for everything that is no digit, one more at each end."""
        return self._cut(f" {self._text.translate(_ONLY_NUMBERS)} ", 2)

    def _cut(self, text: str, more: int = 0) -> list[str]:
        return [text[start : end + more] for start, end in zip(self._starts, self._ends, strict=True)]

    def _spread(self, term: str) -> list[int]:
        """Find letters that the text spells otherwise: with combining marks, ligatures, or signs between them."""
        if self._text.isascii():
            # An identifier: its first two letters stand together, so that looking for them is quick.
            if len(term) < 6:
                return []
            pattern = re.escape(term[:2]) + "[-_. /]?".join(map(re.escape, term[2:]))
        else:
            pattern = f"{_MARKS}*".join(map(re.escape, term))
            for spelt, char in self._several.items():
                pattern = pattern.replace(f"{_MARKS}*".join(spelt), f"(?:{spelt}|{re.escape(char)})")
        return self._indices(place.start() for place in re.finditer(pattern, self._text))

    def _indices(self, places: Iterable[int]) -> list[int]:
        """Give the units that hold these offsets."""
        found: dict[int, None] = {}
        for place in places:
            index = bisect_right(self._starts, place) - 1
            if index >= 0 and place < self._ends[index]:
                found[index] = None
        return list(found)


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
    return _folding(text)[0]


def _folding(text: str) -> tuple[str, dict[str, str]]:
    """Give the folded text, and the letters that one character of it stands for (``ss`` for ``ß``)."""
    if text.isascii():
        return text.lower(), {}
    # U+0130 is the one character whose lower case is longer.
    lowered = text.replace("\u0130", "i").lower()
    single: dict[int, str] = {}
    several: dict[str, str] = {}
    for char in sorted(set(lowered)):
        if char > "\x7f" and (spelt := "".join(terms(char)[:1])):
            if len(spelt) > 1:
                several[spelt] = char
            else:
                single[ord(char)] = spelt
    return lowered.translate(single), several
