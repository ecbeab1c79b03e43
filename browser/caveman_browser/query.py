r"""What a person may ask of a page: words, ``"a phrase"``, ``/a pattern/``, ``role:button``.

Owns the query language and which lines answer. Phrases, patterns and roles must all hold; of the words any may,
and the lines with more and rarer of them come first. Knows lines, not pages.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from caveman_browser.errors import BadQuery
from caveman_engine import axchoice, ranking
from caveman_engine.axline import Line

# A line is held against a pattern up to so many characters: a pattern that backtracks must not hang.
_LONGEST = 5_000

_TOKEN = re.compile(
    r'"(?P<phrase>(?:[^"\\]|\\.)*)"|/(?P<pattern>(?:[^/\\]|\\.)+)/(?=\s|\Z)|role:(?P<role>[\w-]+)|(?P<word>\S+)',
)


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart. ``phrases`` are casefolded, ``roles`` in lower case."""

    words: str
    phrases: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    roles: frozenset[str]


def parse(text: str) -> Query:
    """Take a query apart. Raises `BadQuery` for a pattern that is none."""
    words, phrases, patterns, roles = [], [], [], set()
    for found in _TOKEN.finditer(text):
        if found["phrase"] is not None:
            phrases.append(_folded(found["phrase"].replace('\\"', '"')))
        elif found["pattern"] is not None:
            patterns.append(_pattern(found["pattern"].replace("\\/", "/")))
        elif found["role"] is not None:
            roles.add(found["role"].lower())
        else:
            words.append(found["word"])
    return Query(" ".join(words), tuple(phrases), tuple(patterns), frozenset(roles))


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise BadQuery(
            f"/{text}/ is no regular expression: {error}", hint='"quotes" look for text as it stands'
        ) from error


def matches(query: Query, found: Sequence[Line], texts: Sequence[str]) -> list[int]:
    """Give the indices of the lines that answer, best first; ``texts[i]`` is what line i says.

    The page's own line is never a match: it always stands above.
    """
    allowed = [at for at in range(1, len(found)) if _holds(query, found[at], texts[at])]
    if not query.words:
        return allowed
    scores = ranking.relevance(query.words, [texts[at] for at in allowed])
    if not any(scores):
        # No whole word: a part of one is better than nothing.
        parts = query.words.casefold().split()
        scores = [float(sum(part in texts[at].casefold() for part in parts)) for at in allowed]
    return [allowed[at] for at in axchoice.best_first(scores)]


def _holds(query: Query, line: Line, text: str) -> bool:
    if query.roles and not query.roles & roles_of(line):
        return False
    if query.phrases:
        folded = _folded(text)
        if not all(phrase in folded for phrase in query.phrases):
            return False
    return all(pattern.search(text, 0, _LONGEST) for pattern in query.patterns)


def roles_of(line: Line) -> set[str]:
    """Give the roles that stand in a line."""
    roles = {line.label, line.node.role.lower()}
    return roles | {part.role.lower() for part in line.parts if part is not None}


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
