"""The part of a long fact that answers a query. Pure: text in, text out; knows no store."""

from collections.abc import Callable, Iterator

from caveman_engine.ranking import relevance

_LONGEST = 240  # characters of a piece
_GAP = " … "


def passage(text: str, query: str, room: int, count: Callable[[str], int]) -> str:
    """Give the pieces of ``text`` that match best, in their order, within ``room`` tokens by ``count``.

    Pieces are sentences, lines or runs of words, unaltered; what is left out between them is shown by an
    ellipsis. Where nothing matches the text is shown from its beginning.
    """
    pieces = list(_pieces(text))
    chosen: set[int] = set()
    left = room - 2 * count(_GAP)
    misses = 0
    for index in _preference(relevance(query, pieces)):
        cost = count(pieces[index]) + (0 if {index - 1, index + 1} & chosen else count(_GAP))
        if cost <= left:
            chosen.add(index)
            left -= cost
        elif chosen or misses > 8:
            misses += 1
        if misses > 16:
            break
    return _joined(pieces, chosen)


def _preference(scores: list[float]) -> Iterator[int]:
    """Order pieces: those that match, best first; then some of what surrounds the best one."""
    matching = sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], i))
    yield from matching
    best = matching[0] if matching else 0
    around = (best + 1, best - 1, best + 2) if matching else range(len(scores))
    yield from (i for i in around if 0 <= i < len(scores) and scores[i] <= 0)


def _pieces(text: str) -> Iterator[str]:
    """Cut after sentences and lines, and long ones between words; joined they are the text again."""
    start = 0
    for end in range(1, len(text) + 1):
        long = end - start
        ends = (
            end == len(text)
            or text[end - 1] in "\n。！？"
            or (text[end - 1] == " " and text[end - 2] in ".!?;")
        )
        if ends or (long >= _LONGEST // 2 and text[end - 1].isspace()) or long >= _LONGEST:
            yield text[start:end]
            start = end


def _joined(pieces: list[str], chosen: set[int]) -> str:
    out, last = "", -1
    for index in sorted(chosen):
        if index != last + 1:
            out = out.rstrip() + _GAP
        out += pieces[index]
        last = index
    out = out.strip()
    return out if last == len(pieces) - 1 else out + " …"
