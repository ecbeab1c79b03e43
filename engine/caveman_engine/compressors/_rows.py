"""Which rows of a table stand out. Owns the reasons; knows neither the table's syntax nor how a row is shown.

A row stands out when it is the first or the last, has an extreme number or date, a value that is rare in a column
of few kinds, a value where others have none or none where others have one, words of failure that others have
not, or the longest text. Pure; linear in the number of cells.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from caveman_engine import signals
from caveman_engine.terms import index_terms, query_terms, stem, terms

_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d,]*(?:\.\d*)?(?:[eE][-+]?\d+)?%?\Z")
_DAY_FIRST = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d\d)\b")
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d|\Z)")
# A quick look before the full vocabulary of failure.
_LOUD = re.compile(
    r"err|fail|fatal|exce|panic|abort|kill|seg|oom|crash|dead|corrupt|crit|full|loss|broken|sever",
    re.IGNORECASE,
)
_DIGITS, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
_RARE_A_COLUMN = 8
_MOST_FORMS = 20_000  # kinds of a column whose forms are compared
_LONGEST_NUMBER = 40
_BEST = 6  # rows that match a query best come before any other
_SOME_KINDS = 40  # so many kinds of a column are few; when it is asked for, each is shown
_SHARED = 20  # so many rows may share an extreme value
_NOTHING = frozenset(("", "null", "NULL", "None", "NaN", "nan", "N/A", "n/a", "-", '""'))


class Column(NamedTuple):
    """A column's name and its cells, one a row, "" where a row has none."""

    name: str
    cells: Sequence[str]


def standing_out(columns: Sequence[Column], total: int, prefer: Collection[str] = ()) -> list[int]:
    """Give the rows that stand out, best reason first, each once.

    Every column gives its first reason before any gives its second; columns named in ``prefer`` come first.
    """
    ranked = [(0, 0, 0, 0), (0, 0, 0, total - 1)] if total else []
    for place, column in enumerate(columns):
        tier = 1 if column.name in prefer else 3
        ranked.extend((tier, order, place, row) for order, row in enumerate(_reasons(column)))
        if column.name in prefer:
            ranked.extend((2, order, place, row) for order, row in enumerate(_each_kind(column)))
    ranked.sort(key=lambda entry: entry[:3])
    return list(dict.fromkeys(row for *_, row in ranked))


def matching(scores: Sequence[float]) -> list[int]:
    """Give the rows whose score for a query is near the best, best first."""
    best = max(scores, default=0.0)
    hits = [row for row, score in enumerate(scores) if score > 0 and score >= 0.3 * best]
    return sorted(hits, key=lambda row: (-scores[row], row))


_AGGREGATE = re.compile(
    r"\b(?:most|least|fewest|more|less|highest|lowest|largest|smallest|biggest|longest|shortest|best|worst|max\w*|min\w*|"
    r"top|bottom|oldest|newest|earliest|latest|first|last|how|count|total|sum|average|all|every|each|any|once|only|"
    r"without|not|no|over|under|above|below|between|than|missing|unusual|different)\b",
    re.IGNORECASE,
)


def holding_all(query: str, names: Sequence[str], texts: Mapping[int, str]) -> list[int]:
    """Give the few rows that hold every word of a query that no column's name has; none where it asks for more.

    ``texts`` are the rows that match best. A query for an extreme, a count or an absence is answered by other
    rows than those that hold its words.
    """
    of_names = {term.removeprefix("~") for name in names for term in index_terms(name)}
    if any(stem(word.lower()) not in of_names for word in _AGGREGATE.findall(query)):
        return []
    wanted = {stem(term) for term in query_terms(query)} - of_names
    held = [row for row, text in texts.items() if wanted <= {stem(term) for term in terms(text)}]
    return held if wanted and len(held) < min(6, max(2, len(texts))) else []


_ORDINALS = {
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
    "latest": -1,
    "final": -1,
}
_COUNTED = re.compile(r"\b(?:row|record|item|entry|line|number|#) ?(\d{1,9})\b", re.IGNORECASE)


def positions(query: str, total: int) -> list[int]:
    """Give the rows that a query names by their place: "second item", "last row", "record 317" (0 or 1 first)."""
    places = [_ORDINALS[word] % total for word in re.findall(r"[a-z]+", query.lower()) if word in _ORDINALS]
    numbers = [int(found) for found in _COUNTED.findall(query)]
    places.extend(place for number in numbers for place in (number - 1, number))
    return [place for place in dict.fromkeys(places) if 0 <= place < total]


def in_turn(hits: Sequence[int], notable: Sequence[int]) -> list[int]:
    """Merge the rows that match a query with those that stand out: the best matches, then one of each in turn."""
    turns = zip_longest(hits[_BEST:], notable)
    return list(dict.fromkeys([*hits[:_BEST], *(row for pair in turns for row in pair if row is not None)]))


def named(query: str, names: Sequence[str]) -> set[str]:
    """Give the names that share a word with the query."""
    wanted = {stem(term) for term in query_terms(query)}
    return {name for name in names if wanted & {term.removeprefix("~") for term in index_terms(name)}}


def _reasons(column: Column) -> Iterator[int]:
    """Give the rows for which this column speaks, most telling first."""
    cells = column.cells
    kinds = Counter(cells)
    if len(kinds) < 2:
        return
    rare: dict[str, int] = {}
    empty = sum(kinds[value] for value in _NOTHING if value in kinds)
    few = max(1, len(cells) // 50)
    keys = ordered(kinds)
    if keys:
        yield from _extremes(cells, keys, kinds)
    rare.update(_rare_kinds(kinds, len(cells), keys))
    if not keys:
        loud = [
            kind
            for kind, n in kinds.items()
            if n <= few and _LOUD.search(kind) and signals.failure(kind) == 3
        ]
        rare.update((kind, 0) for kind in loud[:_RARE_A_COLUMN] if len(loud) <= max(3, len(cells) // 20))
    if 0 < empty <= few:
        rare.update((kind, 1) for kind in _NOTHING if kind in kinds)
    elif 0 < len(cells) - empty <= few:
        rare.update((kind, 0) for kind in kinds if kind not in _NOTHING)
    yield from _first_rows(cells, rare)
    if not keys and len(kinds) > len(cells) // 2:
        yield max(range(len(cells)), key=lambda row: len(cells[row]))


def _each_kind(column: Column) -> list[int]:
    """Give the first row of each value of a column of some kinds, rarest first."""
    kinds = Counter(column.cells)
    if not 2 <= len(kinds) <= min(_SOME_KINDS, len(column.cells) // 4):
        return []
    first: dict[str, int] = {}
    for row, cell in enumerate(column.cells):
        first.setdefault(cell, row)
    return sorted(first.values(), key=lambda row: kinds[column.cells[row]])


def _rare_kinds(kinds: Counter[str], total: int, keys: dict[str, Any]) -> dict[str, int]:
    """Give the values that are rare although the column has few kinds, and those of another form than all others."""
    rare: dict[str, int] = {}
    if len(kinds) <= max(8, min(_SOME_KINDS, total // 10), total // 20):
        usual = max(kinds.values())
        lone = [kind for kind in kinds if kinds[kind] <= min(max(3, total // 100), usual // 4)]
        rare.update(
            (kind, kinds[kind]) for kind in sorted(lone, key=lambda kind: kinds[kind])[:_RARE_A_COLUMN]
        )
    if not keys:
        rare.update(_odd_forms(kinds))
    else:
        odd = [kind for kind in kinds if kind not in keys and kind not in _NOTHING]
        rare.update((kind, kinds[kind]) for kind in odd[:_RARE_A_COLUMN])
    return rare


def _odd_forms(kinds: Counter[str]) -> dict[str, int]:
    """Give the values whose form few others have: among n12, n7 and n301 that is x/y, whatever the digits."""
    if not _RARE_A_COLUMN < len(kinds) <= _MOST_FORMS:
        return {}
    forms: dict[str, list[str]] = {}
    for kind in kinds:
        forms.setdefault(_LETTERS.sub("a", _DIGITS.sub("9", kind[:80])), []).append(kind)
    usual = max(map(len, forms.values()))
    if len(forms) > 6 or usual < 0.8 * len(kinds):
        return {}
    return {kind: kinds[kind] for alike in forms.values() if len(alike) <= 2 for kind in alike}


def _first_rows(cells: Sequence[str], rare: dict[str, int]) -> list[int]:
    """Give up to three rows of each rare value, rarest value first."""
    if not rare:
        return []
    places: dict[str, list[int]] = {}
    for row, cell in enumerate(cells):
        if cell in rare:
            places.setdefault(cell, []).append(row)
    kinds = sorted(places, key=lambda kind: (rare[kind], places[kind][0]))
    return [row for kind in kinds for row in places[kind][:3]][: 2 * _RARE_A_COLUMN]


def _extremes(cells: Sequence[str], keys: dict[str, Any], kinds: Counter[str]) -> list[int]:
    """Give the rows of the highest and lowest values, then of the next ones, unless too many share one."""
    ranked = sorted(keys, key=keys.__getitem__)
    values = dict.fromkeys([ranked[-1], ranked[0], ranked[-2], ranked[1]])
    most = min(_SHARED, max(2, len(cells) // 10))
    places: dict[str, list[int]] = {value: [] for value in values if kinds[value] <= most}
    for row, cell in enumerate(cells):
        if cell in places:
            places[cell].append(row)
    return [row for rows in places.values() for row in rows[:3]]


def ordered(kinds: Collection[str]) -> dict[str, Any]:
    """Give each number or date its sort key; empty when fewer than nine in ten values have one, of one form."""
    values = [kind for kind in kinds if kind not in _NOTHING]
    if len(values) < 2:
        return {}
    for key_of in (_number, _iso, _day):
        if sum(key_of(value) is not None for value in values[:40]) < 0.9 * len(values[:40]):
            continue
        keys = {value: key for value in values if (key := key_of(value)) is not None}
        if len(keys) >= 0.9 * len(values):
            return keys
    return {}


def _number(value: str) -> float | None:
    if value[-1:].isdigit() and len(value) <= _LONGEST_NUMBER:
        try:
            return float(value)
        except ValueError:
            pass
    if len(value) > _LONGEST_NUMBER or not _NUMBER.match(value):
        return None
    return float(re.sub(r"[$€£,%]", "", value))


def _iso(value: str) -> str | None:
    value = value.strip('"')
    return value if _ISO.match(value) else None


def _day(value: str) -> tuple[int, int, int] | None:
    """Read 1/15/2018 or 15.1.2018; which of the first two is the month hardly changes the extremes."""
    found = _DAY_FIRST.match(value.strip('"'))
    return (int(found[3]), int(found[1]), int(found[2])) if found else None
