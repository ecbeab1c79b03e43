"""Which of very many units answer a query, best first, without cutting all of them into terms.

The letters of each query term are looked for in the whole text first (`str.find` speed); only units that hold
the most telling of them are tokenised and scored by the house's BM25. Owns this search; knows no content type
and no display.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from caveman_engine.ranking import idf, score, stem_forms
from caveman_engine.terms import index_terms, query_terms, stem, terms

_TOKENISED = 150_000  # characters of units that are scored exactly: about 30 ms, a dozen views full
_TOGETHER = 0.25  # breaks ties between units that hold the same words
_RARE = 5000  # occurrences that are looked up one by one
_BLOCK = 20_000
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
    holding = letters.holding(wanted)
    if not holding:
        return Found([], 0)
    matched = set().union(*holding.values())
    chosen = _affordable(holding, matched, starts, ends)
    keep = {form for term in holding for form in (term, *stem_forms(term))}
    cut = {i: [form for form in index_terms(letters.words(text, i)) if form in keep] for i in chosen}
    everything = len(cut) == len(matched)
    having = _having(holding, cut) if everything else {term: len(hits) for term, hits in holding.items()}
    weights = [(term, idf(len(starts), having[term])) for term in wanted if having.get(term)]
    average = max(1.0, len(text) / len(starts))
    pairs = [f"{one} {two}" for one, two in pairwise(fold(query).split())]
    scored = (
        (score(weights, cut[i], ends[i] - starts[i], average)[0] * letters.together(pairs, i), i) for i in cut
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
        self._needles: re.Pattern[str] | None = None
        self._starts = starts
        self._ends = ends

    def holding(self, wanted: Sequence[str]) -> dict[str, list[int]]:
        """Give, for each term that has any, the units with the letters that all its forms begin with, in order.

        Short letters stand inside many words: they count only where a word begins, and numbers only whole.
        """
        found: dict[str, list[int]] = {}
        common: list[tuple[str, str, str | None]] = []
        for term in wanted:
            needle = _needle(term)
            count = self._text.count(needle)
            narrow = needle.isascii() and (needle.isdigit() or len(needle) <= 3)
            if not count or any(spelt in needle for spelt in self._several):
                found[term] = self._spread(needle)
            elif count <= _RARE:
                found[term] = self._indices(self._places(needle, narrow=narrow))
            else:
                found[term] = []
                if not (narrow and self._text.isascii()):
                    common.append((term, needle, None))
                elif needle.isdigit():
                    common.append((term, f" {needle} ", _ONLY_NUMBERS))
                else:
                    common.append((term, f" {needle}", _ONLY_WORDS))
        if common:
            self._scan(common, found)
        spelt_otherwise = any(hits and _needle(term) not in self._text for term, hits in found.items())
        if not (spelt_otherwise or self._several):
            self._needles = re.compile("|".join(re.escape(_needle(term)) for term in wanted))
        return {term: hits for term, hits in found.items() if hits}

    def _scan(self, common: Sequence[tuple[str, str, str | None]], found: dict[str, list[int]]) -> None:
        """Look for (term, letters, translation) in every unit, a block of units at a time: copies stay small."""
        tables = {table for _, _, table in common}
        for first in range(0, len(self._starts), _BLOCK):
            starts, ends = self._starts[first : first + _BLOCK], self._ends[first : first + _BLOCK]
            begin = starts[0]
            block = self._text[begin : ends[-1]]
            units: dict[str | None, list[str]] = {}
            for table in tables:
                # Translated, there is a space for everything else, and one more at each end.
                text, more = (block, 0) if table is None else (f" {block.translate(table)} ", 2)
                units[table] = [text[a - begin : b - begin + more] for a, b in zip(starts, ends, strict=True)]
            for term, letters, table in common:
                found[term] += [first + index for index, unit in enumerate(units[table]) if letters in unit]

    def words(self, text: str, index: int) -> str:
        """Give the words of a unit that can be one of the terms: cutting all of them up costs ten times as much."""
        unit = text[self._starts[index] : self._ends[index]]
        if self._needles is None:
            return unit
        folded = self._text[self._starts[index] : self._ends[index]]
        holds = self._needles.search
        return " ".join([word for word, low in zip(unit.split(), folded.split(), strict=False) if holds(low)])

    def together(self, pairs: Sequence[str], index: int) -> float:
        """Give the factor, 1 to 1 + `_TOGETHER`, for the query's pairs of words that stand together in a unit."""
        unit = self._text[self._starts[index] : self._ends[index]]
        return 1 + _TOGETHER * sum(pair in unit for pair in pairs) / max(1, len(pairs))

    def _places(self, needle: str, *, narrow: bool) -> Iterator[int]:
        text, size, number = self._text, len(needle), needle.isdigit()
        at = text.find(needle)
        while at >= 0:
            before, after = text[at - 1 : at], text[at + size : at + size + 1]
            inside = before.isdigit() or (after.isdigit() if number else before.isalpha())
            if not (narrow and inside):
                yield at
            at = text.find(needle, at + 1)

    def _spread(self, letters: str) -> list[int]:
        """Find letters that the text spells otherwise: with combining marks, ligatures, or signs between them."""
        between = f"{_MARKS}*" if not self._text.isascii() and re.search(_MARKS, self._text) else ""
        pattern = between.join(map(re.escape, letters))
        for spelt, char in self._several.items():
            pattern = pattern.replace(between.join(spelt), f"(?:{between.join(spelt)}|{re.escape(char)})")
        if pattern == re.escape(letters):
            # An identifier: its first two letters stand together, so that looking for them is quick.
            if len(letters) < 6:
                return []
            pattern = re.escape(letters[:2]) + "[-_. /]?".join(map(re.escape, letters[2:]))
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


def first_match(query: str, text: str) -> int:
    """Give where the rarest of the query's words begins in a text, or 0."""
    folded = fold(text)
    needles = [needle for term in query_terms(query) if (needle := _needle(term)) in folded]
    return min(((folded.count(needle), folded.find(needle)) for needle in needles), default=(0, 0))[1]


def fold(text: str) -> str:
    """Give the text in lower case with accents folded, every character at its old place."""
    return _folding(text)[0]


def _folding(text: str) -> tuple[str, dict[str, str]]:
    """Give the folded text, and the letters that one character of it stands for (``ss`` for ``ß``)."""
    if text.isascii():
        return text.lower(), {}
    # U+0130 is the one character whose lower case is longer.
    folded = text.replace("\u0130", "i").lower()
    single: dict[str, str] = {}
    several: dict[str, str] = {}
    for char in sorted(set(folded)):
        if char > "\x7f" and (spelt := "".join(terms(char)[:1])) and spelt != char:
            if len(spelt) == 1:
                single[char] = spelt
            else:
                several[spelt] = char
    # One pass in C for each letter, of which texts have few, is quicker than one lookup for each character.
    if len(single) > 100:
        return folded.translate({ord(char): spelt for char, spelt in single.items()}), several
    for char, spelt in single.items():
        folded = folded.replace(char, spelt)
    return folded, several
