"""[config] YAML, TOML, INI, .env, properties, HCL, XML, nginx and directive files.

A line counts by its depth, by how rare its key is, and by how its value stands out among the values of that key, so
that of many items alike the first stays and the ones that differ do. A kept line brings the lines it stands under.
Lines stay as they are. Owns the weights; how a line is read is in ``_config_lines``.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log2, sqrt

from caveman_engine import markers, selection
from caveman_engine.compressors import _config_lines, _rows
from caveman_engine.compressors._config_lines import Line
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance
from caveman_engine.terms import query_terms
from caveman_engine.views import Compressor, Request, View

_SAMPLE = 600
_WORTH = 0.8  # of the text: a view longer than this is tried again with less
_SMALL = 4_000  # characters that are left alone
_SETTINGS_SHARE, _MOST_SETTINGS = 0.6, 20_000  # of the text, and characters, that settings may take
_STANDS_OUT = 6.0
_SETTING, _PROSE = 1.5, 0.3
_COMMENTED_OUT = re.compile(
    r"(?:#+|;|//) ?(?!TODO|NOTE|FIXME|XXX)"
    r"(?:[A-Za-z_][\w.-]*(?:\s*=\s*\S|:\s+\S+(?: \S+){0,2}\Z)|[a-z]\w*(?:[-_]\w+)+ \S+\s*\Z)"
)
_MOST_CANDIDATES = 30_000  # lines that are weighed against each other
_SHORT_GAP, _MARKER = 3, 80  # lines and characters that a marker costs as much as
_FEW_KINDS = 16
_NAME = re.compile(r"[\w-]+")
_NAMED = 2.0  # what a line gains whose key begins with a word of the query
_LONG = 200  # characters from which a line costs more than its words are worth
_NEAR = 5  # lines within which siblings belong together
_ASKED_SHARE = 0.65  # of the budget for what a query asks for; the rest is for the frame around it
_MOST_ROOM = 5_500  # characters with a query
_ANCHOR = re.compile(r"(?:^|[\s:\-])&([\w.-]+)")
_ALIAS = re.compile(r"(?:^|[\s:\-\[,])\*([\w.-]+)")
_MOST_COMMENT = 3_000


def detect(payload: Payload) -> float:
    """Tell configuration by the forms of its first lines."""
    return _config_lines.score(payload.lines[:_SAMPLE])


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the lines that matter within the budget, with a marker for each gap."""
    lines = payload.lines
    if len(lines) < 8:
        return
    budget = request.budget
    if not request.hard and request.query:
        budget = min(budget, _MOST_ROOM)
    elif not request.hard and len(payload.text) <= min(budget, _SMALL):
        return
    tree = _config_lines.parse(lines)
    must = set() if request.hard else _needed(lines, tree)
    if request.query:
        asked = _asked(request.query, lines, tree)
        must |= selection.fill(lines, _best(asked, range(len(tree))), int(_ASKED_SHARE * budget), must)
    scores = _weights(tree)
    free = not request.query and not request.hard
    for share in (1, 4) if free else (1,):  # of many items alike a wide view would be all, or mostly markers
        kept = _kept(lines, tree, scores, must, budget // share, wide=free and share == 1)
        view = markers.keep_lines(payload, kept, method="lines", describe=_describer(tree))
        if len(view.text) < _WORTH * len(payload.text):
            break
    if view.shown < view.total:
        yield view


def _kept(
    lines: Sequence[str],
    tree: Sequence[Line],
    scores: Sequence[float],
    must: set[int],
    budget: int,
    *,
    wide: bool,
) -> set[int]:
    """Choose the lines; in a ``wide`` view settings have more room than the budget and come before comments."""
    if wide:
        length = sum(map(len, lines)) + len(lines)
        budget = min(budget, length // 2)
        settings = _best(scores, [i for i, line in enumerate(tree) if not line.comment])
        room = max(budget, min(int(_SETTINGS_SHARE * length), _MOST_SETTINGS))
        must = selection.fill(lines, settings, room, must)
    kept = selection.fill(lines, _best(scores, range(len(tree))), budget, must)
    kept |= _anchors(lines, kept)
    return kept | _bridges(lines, kept)


def _best(scores: Sequence[float], among: Sequence[int]) -> dict[int, float]:
    """Give the lines that may find room, best first: a budget holds only so many of a file of a million lines."""
    ranked = sorted(among, key=scores.__getitem__, reverse=True)
    return {i: scores[i] for i in ranked[:_MOST_CANDIDATES]}


def _bridges(lines: Sequence[str], kept: set[int]) -> set[int]:
    """Give the gaps that cost no more shown than marked."""
    bridges: set[int] = set()
    at = sorted(kept)
    for before, after in pairwise([-1, *at, len(lines)]):
        gap = range(before + 1, after)
        if len(gap) <= _SHORT_GAP and sum(len(lines[i]) + 1 for i in gap) <= _MARKER:
            bridges.update(i for i in gap if not markers.is_forged(lines[i]))
    return bridges


def _weights(tree: Sequence[Line]) -> list[float]:
    """Score each line without a query.

    Depth halves, thirds, ... what a line is worth; a key seen often and a place among many siblings lower it,
    a short part of the file and a short line raise it; what was said before is worth little.
    """
    times = Counter(line.key for line in tree if line.key)
    common = {key: 1 + log2(n) / 2 for key, n in times.items()}
    siblings = Counter(line.parent for line in tree if not line.comment and not line.block)
    crowded = {parent: 1 + log2(n) / 4 for parent, n in siblings.items()}
    lone = _lone(tree)
    telling = _telling(tree)
    last_items = {line.parent: i for i, line in enumerate(tree) if line.item}
    seen: set[tuple[str, str]] = set()
    before: Counter[int] = Counter()  # items, or lines of block text, of the same parent so far
    scores: list[float] = []
    for i, line in enumerate(tree):
        if line.comment or line.blank:
            scores.append(_of_comment(line.value) if line.comment else 0.0)
            continue
        if line.block or line.item:
            before[line.parent] += 1
        if line.block:
            scores.append(0.9 if before[line.parent] <= 2 else 0.2)
            continue
        score = 8.0 / (1 + line.depth) / common.get(line.key, 1.0)
        score *= lone[i] / crowded[line.parent]
        score *= sqrt(40 / (20 + len(line.key) + len(line.value)))
        if line.item and before[line.parent] > 3 and last_items[line.parent] != i:
            score *= 0.4
        if line.value and (line.key, line.value) in seen:
            score *= 0.15
        seen.add((line.key, line.value))
        scores.append(score + (_STANDS_OUT if i in telling else 0.0))
    return _lifted(tree, scores)


def _of_comment(text: str) -> float:
    """Score a comment: a setting that is commented out tells a default, and more than prose does."""
    return _SETTING if _COMMENTED_OUT.match(text) else _PROSE


def _lone(tree: Sequence[Line]) -> list[float]:
    """Weigh each line by how little of the file its top-level part takes: a short part is not to drown."""
    tops: list[int] = []
    for i, line in enumerate(tree):
        tops.append(tops[line.parent] if line.parent >= 0 else i)
    weights = {top: 1 + 5 * (1 - size / len(tree)) ** 8 for top, size in Counter(tops).items()}
    return [weights[top] for top in tops]


def _telling(tree: Sequence[Line]) -> set[int]:
    """Give the lines whose value stands out among the values of their key, and the first of each of few kinds."""
    places: dict[str, list[int]] = {}
    for i, line in enumerate(tree):
        if line.key and line.value and not line.block and not line.comment:
            places.setdefault(line.key, []).append(i)
    telling: set[int] = set()
    for key, at in places.items():
        if len(at) < 4:
            continue
        values = [tree[i].value for i in at]
        telling.update(at[row] for row in _rows.standing_out([_rows.Column(key, values)], len(at))[2:12])
        kinds = dict.fromkeys(values)
        if len(kinds) <= min(_FEW_KINDS, len(at) // 2):
            telling.update(at[values.index(kind)] for kind in kinds)
    return telling


def _asked(query: str, lines: Sequence[str], tree: Sequence[Line]) -> list[float]:
    """Score the lines that answer a query, what stands under them, their comments, and where else they are named."""
    words = set(query_terms(query))
    found = relevance(query, _units(lines, tree))
    for i, line in enumerate(tree):
        if found[i] and (name := _NAME.match(line.key.lower())) and name[0] in words:
            found[i] *= _NAMED
    best = max(found, default=0.0)
    scores = [0.0] * len(tree)
    hits = sorted(
        (i for i, score in enumerate(found) if score and score >= 0.3 * best), key=lambda i: (-found[i], i)
    )
    for i in hits:
        share = found[i] / best * (0.7 if tree[i].comment else 1.0) * min(1.0, _LONG / len(lines[i])) ** 0.5
        scores[i] = max(scores[i], share)
        _raise_near(i, 0.6 * share, tree, scores)
    names = {tree[j].key for i in hits[:3] for j in (i, tree[i].parent) if j >= 0 and len(tree[j].key) > 3}
    for i, line in enumerate(tree):
        if line.value and (line.value in names or line.value.removeprefix("- ") in names):
            scores[i] = max(scores[i], 0.9)
    return _lifted(tree, scores)


def _units(lines: Sequence[str], tree: Sequence[Line]) -> list[str]:
    """Give each line as the text to look for words in: its path, itself, and the comments before it."""
    units: list[str] = []
    comments: list[str] = []
    for i, line in enumerate(tree):
        if line.comment:
            comments.append(lines[i])
            units.append(lines[i])
        elif not lines[i].strip():
            units.append("")
        else:
            above = " ".join(comments)[-_MOST_COMMENT:]
            units.append(f"{_path(tree, line.parent)} {lines[i]} {line.key} {above}")
            comments = []
    return units


def _path(tree: Sequence[Line], parent: int) -> str:
    keys: list[str] = []
    while parent >= 0 and len(keys) < 6:
        keys.append(f"{tree[parent].key} {tree[parent].value}"[:80])
        parent = tree[parent].parent
    return " ".join(keys)


def _raise_near(i: int, share: float, tree: Sequence[Line], scores: list[float]) -> None:
    """Give a share to the lines under line ``i``, to its siblings close by when it has none, and to its comment."""
    under = 0
    for j in range(i + 1, min(i + 30, len(tree))):
        if tree[j].depth <= tree[i].depth and not tree[j].block:
            break
        under += 1
        scores[j] = max(scores[j], share * 0.95**under)
    if not under and tree[i].parent >= 0:
        for j in range(max(0, i - _NEAR), min(i + _NEAR + 1, len(tree))):
            if tree[j].parent == tree[i].parent:
                scores[j] = max(scores[j], 0.6 * share * 0.9 ** abs(j - i))
    for j in range(i - 1, max(-1, i - 4), -1):
        if not tree[j].comment:
            break
        scores[j] = max(scores[j], 0.5 * share * 0.9 ** (i - j))


def _lifted(tree: Sequence[Line], scores: list[float]) -> list[float]:
    """Give each line at least the score of what stands under it: parents come first."""
    for i in range(len(tree) - 1, -1, -1):
        parent = tree[i].parent
        if parent >= 0 and scores[i] > scores[parent]:
            scores[parent] = scores[i]
    return scores


def _needed(lines: Sequence[str], tree: Sequence[Line]) -> set[int]:
    """Give the lines that are shown whatever they cost: document starts, and keys given twice in one mapping."""
    needed = {
        i for i, line in enumerate(lines) if line.startswith("---") and len(line) < 80 and "-" not in line[3:]
    }
    first: dict[tuple[int, str], int] = {}
    twice: set[int] = set()
    scope = 0
    for i, line in enumerate(tree):
        if i in needed:
            scope -= 2
        if not line.key or line.item or line.block or line.comment or line.value.startswith(("<", "{")):
            continue
        place = (line.parent if line.parent >= 0 else scope - 2, line.key)
        if place in first:
            twice.update((first[place], i))
        first.setdefault(place, i)
    # In XML, nginx and directive files a key that comes again is a list, not a slip.
    if len(twice) > max(4, len(tree) // 50):
        twice = set()
    return needed | twice | {tree[i].parent for i in twice if tree[i].parent >= 0}


def _anchors(lines: Sequence[str], kept: set[int]) -> set[int]:
    """Give the lines of the anchors that kept aliases mean."""
    wanted = {name for i in kept for name in _ALIAS.findall(lines[i])}
    if not wanted:
        return set()
    return {i for i, line in enumerate(lines) if wanted.intersection(_ANCHOR.findall(line))}


def _describer(tree: Sequence[Line]) -> Callable[[range], str]:
    """Say of a long gap which keys it holds most."""

    def describe(gap: range) -> str:
        if len(gap) < 10:
            return ""
        keys = Counter(
            tree[i].key for i in gap if tree[i].key and not tree[i].block and len(tree[i].key) <= 32
        )
        comments = sum(tree[i].comment for i in gap)
        said = [f"{key}×{times}" for key, times in keys.most_common(3) if times > 1]
        if comments > len(gap) // 2:
            said.append(f"{comments} comments")
        return " ".join(said)

    return describe


COMPRESSOR = Compressor("config", detect, views)
