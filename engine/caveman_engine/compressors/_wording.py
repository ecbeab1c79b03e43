"""How a person's words turn up in code and documents. Owns abbreviations and loose matches beside BM25.

A question says "shared library" where a makefile says SHAREDLIBV. So units are scored three times: by the
question's words, by the short forms that programmers write for them, and by beginnings of words inside of names.
"""

from collections.abc import Sequence
from itertools import accumulate

from caveman_engine import candidates, ranking
from caveman_engine.terms import query_terms

_SHORT_FORMS = {
    "argum": "arg args argv",
    "array": "arr vec list",
    "attemp": "tries retry retries",
    "author": "by",
    "buffer": "buf",
    "callback": "cb fn func hook",
    "charact": "char ch",
    "command": "cmd",
    "compar": "cmp eq equal",
    "config": "conf cfg config option setting",
    "connect": "conn",
    "context": "ctx",
    "count": "num cnt len",
    "database": "db",
    "default": "default def init",
    "delet": "del rm remove free drop",
    "destin": "dst dest to",
    "direct": "dir",
    "document": "doc",
    "environ": "env",
    "error": "err fail error",
    "execut": "exec run",
    "express": "expr",
    "function": "func fn def",
    "handl": "handler handle callback command",
    "identif": "id",
    "index": "idx i",
    "initial": "init new setup",
    "insert": "add put push insert",
    "iterat": "iter",
    "length": "len size",
    "librar": "lib",
    "limit": "max min",
    "maxim": "max",
    "memor": "mem",
    "messag": "msg",
    "minim": "min",
    "number": "num n count",
    "object": "obj",
    "option": "opt opts flag",
    "packag": "pkg",
    "paramet": "param params arg",
    "pointer": "ptr",
    "posit": "pos offset",
    "previous": "prev old last",
    "process": "proc",
    "raise": "raise raises throw throws error",
    "refer": "ref",
    "regular": "regex regexp",
    "request": "req",
    "respon": "resp res",
    "retr": "tries retry retries attempts",
    "return": "ret return",
    "sourc": "src from",
    "string": "str",
    "temporar": "tmp temp",
    "timeout": "timeout deadline",
    "translat": "trans i18n locale",
    "value": "val",
    "variab": "var env",
    "version": "ver v",
    "widt": "w cols columns",
}
_SHORT, _LOOSE = 0.5, 0.35
# More characters than this are searched by letters first, and by the question's own words only.
_LARGE = 2_000_000


def relevance(query: str, units: Sequence[str]) -> list[float]:
    """Score each unit for the question, 0.0 for none of its words in any form."""
    if sum(map(len, units)) > _LARGE:
        return _at_large(query, units)
    scores = ranking.relevance(query, units)
    short = [
        form for term in query_terms(query) for word, form in _SHORT_FORMS.items() if term.startswith(word)
    ]
    if short:
        for i, more in enumerate(ranking.relevance(" ".join(short), units)):
            scores[i] += _SHORT * more
    _add_loose(query, units, scores)
    return scores


def _at_large(query: str, units: Sequence[str]) -> list[float]:
    ends = [end - 1 for end in accumulate(len(unit) + 1 for unit in units)]
    starts = [end - len(unit) for end, unit in zip(ends, units, strict=True)]
    scores = [0.0] * len(units)
    for score, i in candidates.search(query, "\n".join(units), starts, ends).ranked:
        scores[i] = score
    return scores


def _add_loose(query: str, units: Sequence[str], scores: list[float]) -> None:
    """Add a little where a word's beginning stands anywhere, inside of names too."""
    folded = [unit.lower() for unit in units]
    for term in query_terms(query):
        if len(term) < 4:
            continue
        beginning = term[: max(4, len(term) - 3)]
        holding = [i for i, unit in enumerate(folded) if beginning in unit]
        weight = _LOOSE * ranking.idf(len(units), len(holding))
        for i in holding:
            scores[i] += weight
