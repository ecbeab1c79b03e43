"""What an action changed: lines that came, went or read otherwise, instead of the page again.

Owns the comparison of two captures. Knows neither Chrome nor what was done between them.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from caveman_browser.refs import RefMap
from caveman_browser.snapshot import Capture
from caveman_browser.view import LONGEST_TEXT, cost, price
from caveman_engine import axchoice, axline, axpage
from caveman_engine.axline import Line
from caveman_engine.axnode import Node

MOST_TOKENS = 250
_SHORT = axline.shortener(LONGEST_TEXT)
# Between the common beginning and end, more lines than this are compared as a heap: order costs a square.
_ORDERED = 1_500

Change = tuple[Line | None, Line | None]
"""A line before and after; None where there is none."""


def changes(before: Capture, after: Capture, refs: RefMap, max_tokens: int = MOST_TOKENS) -> str:
    """Say what is different, one line a change, within ``max_tokens``; "" when nothing is.

    ``+`` came, ``-`` went, ``~`` is now so. Focus is no change. A new document is shown by its first lines.
    """
    naming = refs.assigner(after)
    now = axpage.lines(after.tree.root)
    if _document(before) != _document(after):
        order = axchoice.by_need(now)
        kept = axchoice.fit(now, order, max_tokens, price(_SHORT))
        text = axchoice.write_kept(now, kept, naming, _SHORT, gaps=False)
        return _bounded(text.splitlines(), len(now) - len(kept), "line")
    found = list(_compare(axpage.lines(before.tree.root), now))
    out: list[str] = []
    left = max_tokens
    for change in found:
        text = _say(change, naming)
        left -= cost(text) + 1
        if left < 0 and out:
            break
        out.append(text)
    return _bounded(out, len(found) - len(out), "change")


def _document(capture: Capture) -> tuple[str, str]:
    return capture.page, capture.frames[capture.page].loader


def _bounded(out: list[str], more: int, what: str) -> str:
    if more > 0:
        out.append(f"… {more:,} more {what}{'s' * (more > 1)}: a new view of the page shows them")
    return "\n".join(out)


def _compare(old: Sequence[Line], new: Sequence[Line]) -> Iterator[Change]:
    """Give the changes in the page's order."""
    before, after = [_signature(line) for line in old], [_signature(line) for line in new]
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    stop, stop_new = len(before) - end, len(after) - end
    if (stop - start) * (stop_new - start) > _ORDERED**2:
        yield from _as_heaps(old[start:stop], before[start:stop], new[start:stop_new], after[start:stop_new])
        return
    matcher = SequenceMatcher(None, before[start:stop], after[start:stop_new], autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield from _pair(old[start + i : start + j], new[start + k : start + m])


def _signature(line: Line) -> Any:
    """Give what makes two lines say the same."""
    return (line.depth, line.kind, _facts(line.node), *(part and _facts(part) for part in line.parts))


def _facts(node: Node) -> Any:
    states = tuple(state for state in node.states if state != "focused")
    return (node.role, node.name, node.value, node.note, node.url, states, tuple(node.options))


def _as_heaps(
    old: Sequence[Line], before: Sequence[Any], new: Sequence[Line], after: Sequence[Any]
) -> Iterator[Change]:
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    for heap, found, signatures, is_new in ((gone, old, before, False), (come, new, after, True)):
        for line, signature in zip(found, signatures, strict=True):
            if heap[signature] > 0:
                heap[signature] -= 1
                yield (None, line) if is_new else (line, None)


def _pair(gone: Sequence[Line], come: Sequence[Line]) -> Iterator[Change]:
    """Put together what is the same element, then what stands in the same place; the rest went or came."""
    partner: dict[int, Line] = {}
    rest = list(gone)
    for key in (_node_of, _place_of):
        waiting: dict[Any, deque[Line]] = {}
        for line in rest:
            waiting.setdefault(key(line), deque()).append(line)
        for at, line in enumerate(come):
            if at not in partner and key(line) is not None and (queue := waiting.get(key(line))):
                partner[at] = queue.popleft()
        taken = {id(line) for line in partner.values()}
        rest = [line for line in rest if id(line) not in taken]
    for line in rest:
        yield line, None
    for at, line in enumerate(come):
        yield partner.get(at), line


def _node_of(line: Line) -> Any:
    return line.node.frame, line.node.backend, line.kind


def _place_of(line: Line) -> Any:
    """Give where words stand: text that was replaced is another DOM node. An element is its node or another one."""
    return None if line.kind == "node" else (line.kind, line.depth)


def _say(change: Change, naming: axline.Reference) -> str:
    old, new = change
    if new is None:
        assert old is not None
        return "- " + old.write(shorten=_SHORT).strip()
    now = new.write(naming, _SHORT).strip()
    if old is None:
        return "+ " + now
    if new.kind == "node" and old.node.name == new.node.name:
        return "~ " + now
    return f"~ {old.write(shorten=_SHORT).strip()} -> {now}"
