"""What a question asks of the lines. Owns the words that logs and people use for the same thing.

Relevance is BM25 (see `ranking`) over lines, and over the lines that lead to a failure for the failure itself.
"""

import re
from collections import Counter

from caveman_engine.compressors.lines import standouts
from caveman_engine.compressors.lines.levels import Digest
from caveman_engine.ranking import relevance
from caveman_engine.terms import query_terms, stem, terms

_RELEVANT = 12.0  # score of the most relevant line
_MACHINE = 0.8  # weight of the machine's words beside the question's own
_MOST_HITS = 3000
_STEP = 0.6
_LEADING = 12  # lines before a failure that may say what it is about
_END, _AT_END = 4, 6.0  # lines of an end, and what they gain when it is asked for
FIRST = re.compile(
    r"\b(?:first|oldest|earliest|begins?|beginning|start(?:s|ed)?|initial|top)\b", re.IGNORECASE
)
LAST = re.compile(
    r"\b(?:last|latest|newest|final|finally|ends?|ended|recent|finish(?:ed)?|bottom)\b", re.IGNORECASE
)
_HASH = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b")
_GOOD, _HEADED = 0.6, 40  # share of the best score from which a hit brings its head, and how many hits do
_WITH = 0.9  # share of its score that the head gets
_HANGING = 200  # lines that a head is looked for
# A person's word, by its beginning, and what a machine writes for it.
_SAME = {
    "success": "accepted succeeded successfully passed completed opened ok",
    "logg": "accepted session opened login",
    "login": "accepted session opened password",
    "fail": "failed failure error exception",
    "find": "found",
    "wrong": "failed error invalid",
    "problem": "error failed warning",
    "crash": "panic panicked segfault aborted killed fatal core dumped",
    "die": "killed exited terminated",
    "start": "starting started boot init listening",
    "boot": "starting kernel booting",
    "stop": "stopping stopped terminated shutdown exiting",
    "commit": "checkout HEAD revision",
    "revis": "checkout HEAD commit",
    "pull": "refs/pull merge",
    "slow": "took duration elapsed timeout",
    "long": "took duration elapsed seconds",
    "reject": "unexpected invalid refused denied rejected",
    "lack": "missing no attribute not found",
    "miss": "missing cannot find not found unresolved",
    "result": "passed failed total",
    "count": "total passed failed",
    "date": "time published modified",
    "total": "total passed failed passing failing",
}


def expanded(query: str) -> str:
    """Give the question with the machine's words for its own added."""
    added = [more for term in query_terms(query) for root, more in _SAME.items() if term.startswith(root)]
    return " ".join([query, *added])


def scores(found: Digest, query: str) -> tuple[dict[int, float], float]:
    """Score the lines that match the question, and give the share of its words that the best line holds.

    Of many lines of one form the first and the rarest come first.
    """
    exact, wide = relevance(query, found.lines), relevance(expanded(query), found.lines)
    matched = [a + _MACHINE * b for a, b in zip(exact, wide, strict=True)]
    for i in found.routine:  # a step that went well answers fewer questions than its words promise
        matched[i] *= _STEP
    best = max(matched, default=0.0)
    asked: dict[int, float] = {}
    covered = 0.0
    if best > 0:
        wanted = {stem(term) for term in query_terms(query)}
        held = {stem(term) for term in terms(found.lines[matched.index(best)])}
        covered = len(wanted & held) / len(wanted)
        template_of = {member: number for number, t in enumerate(found.templates) for member in t.members}
        hits = sorted(
            (i for i, score in enumerate(matched) if score > 0.3 * best), key=lambda i: (-matched[i], i)
        )
        seen: Counter[int] = Counter()
        for i in hits[:_MOST_HITS]:
            number = template_of.get(i, -1)
            asked[i] = _RELEVANT * matched[i] / best / (1 + seen[number] / 4) + 0.3 * found.scores.get(i, 0.0)
            seen[number] += 1
    _add_named(found, query, asked)
    _add_ends(found, query, asked)
    _add_heads(found, query, asked)
    if not found.stamped:
        _add_failures(found, expanded(query), asked)
    return standouts.with_context(found, asked), covered


def _add_ends(found: Digest, query: str, asked: dict[int, float]) -> None:
    """Score the ends of the text, and of its steps, when the question is about what came first or last."""
    total = len(found.lines)
    steps = sorted(found.routine)
    if found.blocks and (FIRST.search(query) or LAST.search(query)):  # in either order: newest first, or last
        for index in (*found.blocks[0], *found.blocks[-1]):
            asked[index] = asked.get(index, 0.0) + _RELEVANT
    if FIRST.search(query):
        for index in (*range(min(_END, total)), *steps[:2]):
            asked[index] = asked.get(index, 0.0) + _AT_END
    if LAST.search(query):
        for index in (*range(max(0, total - _END), total), *steps[-2:]):
            asked[index] = asked.get(index, 0.0) + _AT_END


def _add_named(found: Digest, query: str, asked: dict[int, float]) -> None:
    """Score the lines that hold a hash that the question gives, whole or its beginning."""
    for name in _HASH.findall(query.lower()):
        for index, line in enumerate(found.lines):
            if name in line:
                asked[index] = asked.get(index, 0.0) + _RELEVANT


def _add_heads(found: Digest, query: str, asked: dict[int, float]) -> None:
    """Score what tells the part of the text that a good hit is in: its block's lines, or the line it hangs from."""
    block_of = {index: block for block in found.blocks for index in range(block[0], block[-1] + 1)}
    matched = relevance(query, [" ".join(found.lines[i] for i in block) for block in found.blocks])
    best = max(matched, default=0.0)
    for block, score in zip(found.blocks, matched, strict=True):
        if best and score > _GOOD * best:
            for index in block:
                asked[index] = max(asked.get(index, 0.0), _RELEVANT * _WITH * score / best)
    hits = sorted(asked, key=lambda i: (-asked[i], i))[:_HEADED]
    for index, score in [(i, asked[i]) for i in hits if asked[i] > _GOOD * asked[hits[0]]]:
        head = block_of.get(index) or _hangs_from(found, index)
        for above in head:
            asked[above] = max(asked.get(above, 0.0), _WITH * score)


def _hangs_from(found: Digest, index: int) -> list[int]:
    """Find the nearest line before an indented one that is less indented."""
    margin = indent(found.lines[index])
    for above in range(index - 1, max(-1, index - _HANGING), -1) if margin else ():
        if found.lines[above].strip() and indent(found.lines[above]) < margin:
            return [above]
    return []


def indent(line: str) -> int:
    """Give the number of white space characters that a line begins with."""
    return len(line) - len(line.lstrip())


def _add_failures(found: Digest, query: str, asked: dict[int, float]) -> None:
    """Score each failure also by what the lines before it say, back to the failure before."""
    units = []
    failures = sorted(found.failures)
    before = -1
    for index in failures:
        units.append(" ".join(found.lines[max(before + 1, index - _LEADING) : index + 1])[:2000])
        before = index
    matched = relevance(query, units)
    best = max(matched, default=0.0)
    for index, score in zip(failures, matched, strict=True):
        if score > 0.3 * best:
            asked[index] = asked.get(index, 0.0) + 0.7 * _RELEVANT * score / best
