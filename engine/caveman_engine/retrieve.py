"""Query views over an original: the whole units that match, best first into the budget, shown in source order.

Owns the choice, the bound and the words between the units. Must never know a store; how a content type is cut
into units is `units`, which of them answer is `candidates`. Deterministic: no clock, no randomness, ties by
position.
"""

from collections.abc import Callable
from dataclasses import dataclass

from caveman_engine import candidates, markers, payload
from caveman_engine.units.shape import Span, Units

_FLOOR = 0.25  # of the best score: what scores less holds only words that nearly every unit holds
_GAP_TOKENS = 16  # what a gap marker takes, at most, in the first estimate
_TRIED = 300  # units, best first, that are looked at for what still fits
_OUTLINE = 1200  # characters


@dataclass(frozen=True, slots=True)
class View:
    """A bounded view: ``matched`` of ``units`` match, ``shown`` stand in ``text``, which has ``tokens``.

    ``next`` is the selector of the best match that had no room (``ccr://H#`` and it gives that part), or None.
    """

    text: str
    matched: int
    units: int
    shown: int
    tokens: int
    next: str | None


def view(
    original: bytes,
    query: str,
    *,
    content_type: str | None = None,
    max_tokens: int = 2000,
    count: Callable[[str], int] | None = None,
) -> View:
    """Show the units of an original that answer a query, whole, within ``max_tokens`` (0: no bound).

    ``content_type`` is an engine type's name; without one it is guessed. ``count`` counts tokens (default: the
    house's counter).
    """
    if count is None:
        from caveman_engine.tokens import count as counted

        count = counted
    if payload.is_binary(original):
        return _said(f"{len(original):,} bytes that are no text: a query cannot search them", count)
    text = payload.decode(original)[0]
    if "\x1b" in text:
        text = payload.ANSI.sub("", text)
    if content_type == "a11y":
        text = _page(text)
    units = split(text, content_type or _guess(original))
    found = candidates.search(query, text, units.starts, units.ends)
    page = _Page(units, query, max_tokens, count)
    if not found.ranked:
        return page.nothing()
    return page.show(found)


def split(text: str, content_type: str) -> Units:
    """Cut a text into the units of its content type; into lines where it has no other or does not parse."""
    from caveman_engine.units import blocks, lines, prose, records, table

    splitters: dict[str, Callable[[str], Units | None]] = {
        "tabular": table.table,
        "text": prose.paragraphs,
        "log": lines.events,
        "terminal": lines.events,
        "code": blocks.blocks,
        "config": blocks.blocks,
        "diff": blocks.hunks,
    }
    # Accessibility trees and tool catalogues are JSON too, whatever their type is called.
    whatever = records.records if text[:100].lstrip()[:1] in ("{", "[") else lines.lines
    found = splitters.get(content_type, whatever)(text)
    return found if found is not None and len(found) else lines.lines(text)


def _guess(original: bytes) -> str:
    """Guess the content type from the beginning."""
    from caveman_engine import detect

    ranked = detect.rank(payload.parse(original[:65536]))
    return ranked[0][1].name if ranked else ""


def _page(text: str) -> str:
    """Write a stored accessibility tree as the browser does: its records say nothing one by one."""
    from caveman_engine.compressors import a11y

    return "\n".join([line.write() for line in a11y.lines(text)]) or text


def _said(text: str, count: Callable[[str], int]) -> View:
    line = markers.marker(text)
    return View(line, 0, 0, 0, count(line), None)


class _Page:
    """One view in the making: units in, text out, never over the bound."""

    def __init__(self, units: Units, query: str, max_tokens: int, count: Callable[[str], int]) -> None:
        self._units = units
        self._query = query
        self._bound = max_tokens or 1 << 62
        self._count = count

    def show(self, found: candidates.Found) -> View:
        """Take the best units that fit, then print them in order with what is between them."""
        best = found.ranked[0][0]
        worthy = [index for score, index in found.ranked if score >= _FLOOR * best]
        sound = [index for index in worthy if _own(self._units.unit(index))]
        kept = self._fitting(sound, found.matched)
        if not kept:
            return self._piece(sound[0], found.matched) if sound else self.nothing()
        left = next((index for index in sound if index not in kept), None)
        text = self._text(kept, found.matched)
        more = None if left is None else self._units.selector(left, left)
        return View(text, found.matched, len(self._units), len(kept), self._count(text), more)

    def _fitting(self, ranked: list[int], matched: int) -> set[int]:
        """Choose by estimate, best first, then measure the text itself and take the last ones back."""
        room = self._bound - self._count(self._text(set(), matched)) - _GAP_TOKENS
        kept: list[int] = []
        heads: set[Span] = set()
        for index in ranked[:_TRIED]:
            unit = self._units.unit(index)
            need = self._count(unit) + _GAP_TOKENS
            head = self._units.context(index)
            if head is not None and head not in heads:
                need += self._count(self._units.text[slice(*head)]) + 1
            if need > room:
                continue
            room -= need
            kept.append(index)
            if head is not None:
                heads.add(head)
        kept = kept or ranked[:1]
        while kept and self._count(self._text(set(kept), matched)) > self._bound:
            kept.pop()
        return set(kept)

    def _text(self, kept: set[int], matched: int) -> str:
        units = self._units
        parts = [_own(units.text[slice(*units.lead)])]
        expected, head_shown = 0, (0, 0)
        for index in sorted(kept):
            if index > expected:
                parts.append(self._gap(expected, index - 1))
            head = units.context(index)
            if head is not None and head != head_shown and not self._is_shown(head, kept):
                parts.append(_ended(_own(units.text[slice(*head)])))
            head_shown = head or head_shown
            parts.append(_ended(units.unit(index)))
            expected = index + 1
        if expected < len(units):
            parts.append(self._gap(expected, len(units) - 1))
        parts.append(markers.marker(self._summary(len(kept), matched)))
        return "".join(parts)

    def _is_shown(self, head: Span, kept: set[int]) -> bool:
        """Tell whether a heading stands in the view anyway, as the beginning of a unit."""
        from bisect import bisect_right

        return bisect_right(self._units.starts, head[0]) - 1 in kept

    def _gap(self, first: int, last: int) -> str:
        count = last - first + 1
        noun = self._units.noun if count > 1 else self._units.noun.removesuffix("s")
        place = self._units.place(first, last).removeprefix(f"{noun} ")
        return markers.marker(f"… {count:,} {noun}, {place} …")

    def _summary(self, shown: int, matched: int) -> str:
        total = self._total()
        if shown < matched:
            return f"showing the best {shown:,} of {matched:,} that match, of {total}"
        return f"showing the {shown:,} that match, of {total}"

    def _total(self) -> str:
        count = len(self._units)
        return f"{count:,} {self._units.noun}" if count != 1 else f"1 {self._units.noun.removesuffix('s')}"

    def nothing(self) -> View:
        """Say that nothing matches, what there is, and how to get it."""
        parts = [_own(self._units.text[slice(*self._units.lead)][:_OUTLINE])]
        end = markers.marker(f"nothing of {self._total()} matches; without a query all of it is given")
        size = 0
        for line in filter(None, map(_own, self._units.outline())):
            size += len(line) + 1
            if size > _OUTLINE or self._count("".join([*parts, line, end])) > self._bound:
                parts.append("…\n")
                break
            parts.append(_ended(line))
        text = "".join([*parts, end])
        return View(text, 0, len(self._units), 0, self._count(text), None)

    def _piece(self, index: int, matched: int) -> View:
        """Show the part of one unit, too large for the bound, that lies around its first match."""
        unit = self._units.unit(index)
        middle = candidates.first_match(self._query, unit)
        size = len(unit)
        while True:
            size = size // 2
            start = max(0, min(middle - size // 2, len(unit) - size))
            place = self._units.place(index, index)
            note = f"{place}, characters {start + 1:,}-{start + size:,} of {len(unit):,}"
            end = f"showing part of the best of {matched:,} that match, of {self._total()}"
            cut = _ended(_own(unit[start : start + size]))
            text = markers.marker(note) + cut + markers.marker(end)
            if self._count(text) <= self._bound or size <= 1:
                more = self._units.selector(index, index)
                return View(text, matched, len(self._units), 1, self._count(text), more)


def _own(text: str) -> str:
    """Give source text as it may be shown: nothing of it when one of its lines could pass for one of ours."""
    return "" if markers.is_forged(text) else text


def _ended(text: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + "\n"
