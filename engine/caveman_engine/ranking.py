"""The one BM25 of the house. Owns how well a text answers a query; knows no store, no files, no display.

Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with an
idf that cannot be negative, ``ln(1 + (N - n + .5) / (n + .5))``. K1 and B suit short notes: a fact says a
word once, and its length says little about it. A term counts in two ways: by its stem, and again, less, where
the exact form stands in the text.
"""

from collections.abc import Iterable, Sequence

from caveman_engine.terms import index_terms, query_terms, stem

K1 = 1.2
B = 0.3
# The share of a term's weight that only its exact form earns.
EXACT = 0.3
_forms: dict[str, tuple[str, ...]] = {}
# From this many units on it pays to look for the query's letters before cutting units into terms.
_MANY = 64
# Terms of a query that are looked for: nobody asks a question longer than that.
_LONGEST_QUERY = 256


def idf(total: float, having: float) -> float:
    """Give what a term is worth that ``having`` of ``total`` units hold; above 0 even when all do."""
    from math import log

    having = min(having, total)
    return log(1 + (total - having + 0.5) / (having + 0.5))


def saturated(count: float, length: float, average: float) -> float:
    """Give the share of its weight, 0 to K1 + 1, that a term earns by ``count`` in a unit of ``length``."""
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length / average)) if count else 0.0


def stem_forms(term: str) -> tuple[str, ...]:
    """Give the forms under which `index_terms` keeps the words that share the stem of ``term``."""
    known = _forms.get(term)
    if known is None:
        root = stem(term)
        known = (root, "~" + root) if stem(root) == root else ("~" + root,)
        if len(_forms) >= 50_000:
            _forms.clear()
        _forms[term] = known
    return known


def score(
    query: Sequence[tuple[str, float]], present: Sequence[str], length: float, average: float
) -> tuple[float, list[str]]:
    """Add up what the (term, idf) of a query earn in a unit; give (score, terms that it holds).

    ``present``: the unit's `index_terms`, at least those that are forms of the query's terms.
    """
    counts: dict[str, int] = {}
    for form in present:
        counts[form] = counts.get(form, 0) + 1
    total, held = 0.0, []
    for term, worth in query:
        by_stem = 0
        for form in stem_forms(term):
            by_stem += counts.get(form, 0)
        if by_stem:
            held.append(term)
            exact = saturated(counts.get(term, 0), length, average)
            total += worth * ((1 - EXACT) * saturated(by_stem, length, average) + EXACT * exact)
    return total, held


def relevance(query: str, units: Sequence[str]) -> list[float]:
    """Give each unit's BM25 score for the query; 0.0 where nothing matches. Deterministic.

    Only units that hold the letters of a term are cut into terms; lengths are taken in characters.
    """
    wanted = sorted(query_terms(query)[:_LONGEST_QUERY])
    scores = [0.0] * len(units)
    if not wanted or not units:
        return scores
    forms = {form: term for term in wanted for form in stem_forms(term)}
    keep = forms.keys() | set(wanted)
    candidates = _holding(wanted, units) if len(units) > _MANY else range(len(units))
    found = {i: [form for form in index_terms(units[i]) if form in keep] for i in candidates}
    having = dict.fromkeys(wanted, 0)
    for present in found.values():
        for term in {forms[form] for form in present if form in forms}:
            having[term] += 1
    weights = [(term, idf(len(units), having[term])) for term in wanted if having[term]]
    average = max(1.0, sum(map(len, units)) / len(units))
    for i, present in found.items():
        if present:
            scores[i] = score(weights, present, len(units[i]), average)[0]
    return scores


def _holding(wanted: Iterable[str], units: Sequence[str]) -> list[int]:
    """Find the units in which a term may stand: those with its first letters, and all that are not ASCII."""
    from bisect import bisect_right
    from itertools import accumulate

    starts = [0, *accumulate(len(unit) + 1 for unit in units)]
    text = "\n".join(units).lower()
    if len(text) != starts[-1] - 1:  # a lower-case form of another length would shift all that follows
        return list(range(len(units)))
    unsigned = text.replace("_", "").replace("-", "")
    found: set[int] = set()
    for needle in {_needle(term, text, unsigned) for term in wanted}:
        at = text.find(needle)
        while at >= 0:
            index = bisect_right(starts, at) - 1
            found.add(index)
            at = text.find(needle, starts[index + 1])
    if not text.isascii():
        found.update(i for i, unit in enumerate(units) if i not in found and not unit.isascii())
    return sorted(found)


def _needle(term: str, text: str, unsigned: str) -> str:
    """Give the letters that all forms of a term in the text begin with.

    Where some unit spells it with signs (``clientpool`` for ``client_pool``) only the first ones are common.
    """
    root = stem(term).removesuffix("i")  # of a y, as in retry and retries
    same = 0
    while same < min(len(root), len(term)) and root[same] == term[same]:
        same += 1
    needle = term[: max(same, 1)]
    return needle[:2] if unsigned.count(needle) > text.count(needle) else needle
