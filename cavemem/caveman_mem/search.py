"""Finding facts: candidates from the index, our own scores, fusion with what was said around them. Start-up path.

Reads rows, writes nothing; knows no budget and no display. In the order of work:

1. Each query term is looked up by stem. Rows of the rarest terms become candidates; terms that very many rows
   hold only add to the score of those, unless there is nothing else: then their newest rows are taken.
2. The few hundred best candidates are scored by `caveman_engine.ranking` on their stored terms.
3. Context: a fact gets a share of the scores of the facts next to it in its session and of its session's best;
   a date in the query favours facts of that date; a fact that is itself a question answers little.
4. What scores less than `FLOOR` of the query's idf is dropped: off-topic finds nothing.
"""

from caveman_engine import ranking
from caveman_engine.database import Database
from caveman_engine.terms import query_terms, terms
from caveman_mem.identity import folded
from caveman_mem.index import scope_facet, tag_facet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

# The least score, as a share of the idf of the query's known terms. Relative, so the same in any store.
FLOOR = 0.15
# Share of the score of the fact one and two places before and after it in the session.
BEFORE = (0.5, 0.25)
AFTER = (0.4, 0.2)
# Share of the mean of its session's three best scores.
SESSION = 0.6
# What a month, day or year of the query is worth that is the fact's own.
DATE = 1.0
# A fact that asks.
ASKING = 0.9

# A fact longer than this many averages is scored as one of that length: what is shown of it is a passage.
LONG = 2.0

_MOST_TERMS = 64
_POSTINGS = 3000
_CANDIDATES = 600
_NEWEST = 100
_HELD = 400_000
_MONTHS = "january february march april may june july august september october november december".split()


class Filters:
    """Which facts may be found; times in nanoseconds UTC. ``now`` decides about expiry."""

    __slots__ = ("as_of", "kind", "now", "scopes", "since", "tags", "until")

    def __init__(
        self,
        now: int,
        scopes: "Sequence[str] | None",
        *,
        tags: "Sequence[str]" = (),
        kind: str | None = None,
        since: int | None = None,
        until: int | None = None,
        as_of: int | None = None,
    ) -> None:
        self.now = now
        self.scopes = scopes
        self.tags = tags
        self.kind = kind
        self.since = since
        self.until = until
        self.as_of = as_of

    def sql(self, *, superseded: bool = False) -> "tuple[str, list[Any]]":
        """Give the condition on rows of memory, and its parameters. ``since`` is included, ``until`` is not.

        ``superseded``: what no longer holds too.
        """
        parts: list[str] = []
        values: list[Any] = []
        if self.as_of is not None:
            parts = ["valid_from <= ?", "coalesce(valid_until > ?, 1)"]
            values = [self.as_of, self.as_of]
        elif not superseded:
            parts = ["valid_until IS NULL"]
        if not superseded:
            parts.append("coalesce(expires_at > ?, 1)")
            values.append(self.now if self.as_of is None else self.as_of)
        if self.scopes is not None:
            parts.append(f"scope IN ({', '.join('?' * len(self.scopes))})")
            values += self.scopes
        for tag in self.tags:
            parts.append("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)")
            values.append(tag)
        for condition, value in (
            ("kind = ?", self.kind),
            ("created_at >= ?", self.since),
            ("created_at < ?", self.until),
        ):
            if value is not None:
                parts.append(condition)
                values.append(value)
        return " AND ".join(parts) or "1", values

    def facets(self) -> str:
        """Give the same restriction, as far as the index knows it, to be added to a match expression."""
        parts = [f'"{tag_facet(tag)}"' for tag in self.tags]
        if self.scopes is not None:
            parts.append("(" + " OR ".join(f'"{scope_facet(scope)}"' for scope in self.scopes) + ")")
        return "".join(" AND " + part for part in parts)


class Term:
    """A term of the query: how many rows hold it by stem, and what it is worth."""

    __slots__ = ("facts", "match", "term", "worth")

    def __init__(self, term: str, facts: int, total: int) -> None:
        self.term = term
        self.facts = facts
        self.worth = ranking.idf(total, facts)
        # A word that is its own stem stands in the index bare, an inflected one as `~stem` beside it.
        self.match = " OR ".join(f'"{form}"' for form in ranking.stem_forms(term))


class Found:
    """One fact that answers, with what made its score."""

    __slots__ = (
        "context",
        "created_at",
        "date",
        "equal",
        "matched",
        "number",
        "own",
        "pinned",
        "score",
        "session",
    )

    def __init__(self, number: int, session: str | None, created_at: int, pinned: int) -> None:
        self.number = number
        self.session = session
        self.created_at = created_at
        self.pinned = pinned
        self.own = 0.0
        self.context = 0.0
        self.date = 0.0
        self.score = 0.0
        self.equal = False
        self.matched: list[str] = []


def search(database: Database, query: str, filters: Filters) -> "tuple[list[Found], list[Term]]":
    """Give the facts that answer a query, best first, and the query's terms that the store knows.

    Ties: pinned first, then the newer, then the later stored. The fact whose text is the query comes first.
    """
    known = known_terms(database, query)
    numbers = _candidates(database, known, filters)
    found = _scored(database, numbers, known, query)
    _fuse(found, query)
    least = FLOOR * sum(term.worth for term in known)
    found = [item for item in found if item.score >= least or item.equal]
    found.sort(key=lambda item: (not item.equal, -item.score, -item.pinned, -item.created_at, -item.number))
    return found, known


def known_terms(database: Database, query: str) -> list[Term]:
    """Look the query's terms up; those that no fact holds are left out. Rarest first."""
    wanted = query_terms(query)[:1000]
    total = database.value("SELECT facts FROM corpus") or 0
    forms = sorted({form for term in wanted for form in ranking.stem_forms(term)})
    counts = dict(
        database.rows(f"SELECT term, facts FROM term WHERE term IN ({', '.join('?' * len(forms))})", forms)
    )
    known = []
    for term in wanted:
        facts = sum(counts.get(form, 0) for form in ranking.stem_forms(term))
        if facts:
            known.append(Term(term, min(facts, total), total))
    known.sort(key=lambda term: (term.facts, term.term))
    return known[:_MOST_TERMS]


def _candidates(database: Database, known: "Sequence[Term]", filters: Filters) -> list[int]:
    """Give the rows worth scoring: those with the most idf of the rarer terms."""
    condition, values = filters.sql()
    select = (
        # CROSS JOIN: SQLite keeps this order; it knows nothing of how few rows a match gives.
        "SELECT number FROM memory_index CROSS JOIN memory ON number = memory_index.rowid"
        f" WHERE memory_index MATCH ? AND {condition}"
    )
    worth: dict[int, float] = {}
    left = _POSTINGS
    common = []
    for term in known:
        if term.facts > left:
            common.append(term)
            continue
        left -= term.facts
        for (number,) in database.rows(select, (term.match, *values)):
            worth[number] = worth.get(number, 0.0) + term.worth
    if common and len(worth) < _NEWEST:
        newest = select + " ORDER BY memory_index.rowid DESC LIMIT ?"
        every = " AND ".join(f"({term.match})" for term in common)
        for match in dict.fromkeys([every, *(f"({term.match})" for term in common)]):
            for (number,) in database.rows(newest, (match + filters.facets(), *values, _NEWEST)):
                worth.setdefault(number, common[-1].worth)
            if len(worth) >= _NEWEST:
                break
    return sorted(worth, key=lambda number: (-worth[number], -number))[:_CANDIDATES]


def _scored(database: Database, numbers: "Sequence[int]", known: "Sequence[Term]", query: str) -> list[Found]:
    """Score candidates on their stored terms."""
    if not numbers:
        return []
    facts, length = database.rows("SELECT facts, length FROM corpus")[0]
    average = max(1.0, length / max(1, facts))
    weights = sorted((term.term, term.worth) for term in known)
    forms = {form for term in known for form in (term.term, *ranking.stem_forms(term.term))}
    same, size = folded(query), len(terms(query))
    out = []
    for number, session, created_at, pinned, count, text, stored in _rows(database, numbers):
        present = [form for form in stored.split(" ") if form in forms]
        item = Found(number, session, created_at, pinned)
        item.own, item.matched = ranking.score(weights, present, min(count, LONG * average), average)
        item.equal = count == size and folded(text) == same
        if "?" in text and _asks(text):
            item.own *= ASKING
        out.append(item)
    return out


def _rows(database: Database, numbers: "Sequence[int]") -> "Iterator[tuple[Any, ...]]":
    """Give what scoring needs of the rows, holding no more than `_HELD` terms of them in memory at a time."""
    marks = ", ".join("?" * len(numbers))
    sizes = database.rows(f"SELECT number, length FROM memory WHERE number IN ({marks})", numbers)
    while sizes:
        taken: list[int] = []
        total = 0
        while sizes and (not taken or total + sizes[-1][1] <= _HELD):
            number, length = sizes.pop()
            taken.append(number)
            total += length
        marks = ", ".join("?" * len(taken))
        yield from database.rows(
            "SELECT number, session, created_at, pinned, length, text, terms FROM memory"
            f" WHERE number IN ({marks})",
            taken,
        )


def _asks(text: str) -> bool:
    """Tell a text that holds a question; a question mark inside an address is none."""
    return text.rstrip().endswith("?") or "? " in text


def _fuse(found: "Sequence[Found]", query: str) -> None:
    """Add what the context says, and the date."""
    dates = _dates(query)
    by_number = {item.number: item for item in found}
    sessions: dict[str, list[float]] = {}
    for item in found:
        if dates:
            item.date = DATE * _agrees(item.created_at, dates)
        if item.session is not None:
            sessions.setdefault(item.session, []).append(item.own + item.date)
    for item in found:
        item.score = item.own + item.date
        if item.session is not None:
            best = sorted(sessions[item.session], reverse=True)[:3]
            item.context = SESSION * sum(best) / 3 + _around(item, by_number)
            item.score += item.context


def _around(item: Found, by_number: "dict[int, Found]") -> float:
    total = 0.0
    for step, share in ((-1, BEFORE[0]), (-2, BEFORE[1]), (1, AFTER[0]), (2, AFTER[1])):
        other = by_number.get(item.number + step)
        if other is not None and other.session == item.session:
            total += share * (other.own + other.date)
    return total


def _dates(query: str) -> frozenset[str]:
    """Give the month names, days and years of a query, or nothing when it names no month."""
    words = terms(query)
    if not any(word in _MONTHS for word in words):
        return frozenset()
    return frozenset(word for word in words if word in _MONTHS or (word.isdigit() and len(word) in (1, 2, 4)))


def _agrees(created_at: int, dates: frozenset[str]) -> int:
    """Count what of the date the query names; nothing without the month."""
    from time import localtime

    at = localtime(created_at // 1_000_000_000)
    if _MONTHS[at.tm_mon - 1] not in dates:
        return 0
    return 1 + (str(at.tm_mday) in dates) + (str(at.tm_year) in dates)


def explained(found: "Sequence[Found]", known: "Sequence[Term]") -> "list[dict[str, Any]]":
    """Give how each score came about: idf of the terms held, BM25, date, context, and the floor it passed."""
    total = sum(term.worth for term in known)
    return [
        {
            "terms": [
                {"term": term.term, "facts": term.facts, "idf": round(term.worth, 4)}
                for term in known
                if term.term in item.matched
            ],
            "matched_idf": round(sum(term.worth for term in known if term.term in item.matched) / total, 4),
            "floor": round(FLOOR * total, 4),
            "bm25": round(item.own, 4),
            "date": round(item.date, 4),
            "context": round(item.context, 4),
            "same_text": item.equal,
            "score": round(item.score, 4),
        }
        for item in found
    ]
