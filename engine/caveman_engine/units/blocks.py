"""Units of code, configuration and diffs: a definition, a section, a hunk, each whole, by indentation alone.

No parser: it works on snippets, on broken files and in any language that indents.
"""

import re
from collections.abc import Sequence

from caveman_engine.units.shape import Span, Units, of_lines, offsets, rows

_LONG = 60  # lines of a block; a longer one is cut into the blocks inside it
_DEEPEST = 4
# A line that closes what stands before it, and lines that belong to what comes after them.
_CLOSING = re.compile(r"[\])}]|end\b|fi\b|done\b|esac\b|else\b|elif\b|except\b|finally\b|catch\b")
_LEADING = re.compile(r"[ \t]*(?:@|#|//|/\*|\*|--|<!--|\"\"\"|\[\[?[\w.\" -]+\]\]?\s*$)")
_HUNK = re.compile(r"^(?:diff --git |@@@? -|Index: )", re.MULTILINE)
_FILE = re.compile(r"diff --git |Index: ")


def blocks(text: str) -> Units:
    """Make each top-level block a unit; of a long one, each block inside it, with the long one's head above."""
    found = rows(text)
    at = offsets(found)
    begins: list[int] = []
    owner: dict[int, int] = {}
    _split(found, 0, len(found), 0, begins, owner)

    def head(index: int) -> Span | None:
        line = owner.get(begins[index])
        return None if line is None else (at[line], at[line] + len(found[line]))

    starts = [at[line] for line in begins]
    return of_lines("blocks", text, [0, *starts[1:]], context=head, outline=_tops(found, begins, owner))


def _tops(found: Sequence[str], begins: Sequence[int], owner: dict[int, int]) -> list[int]:
    return [i for i, line in enumerate(begins) if line not in owner and len(found[line]) > 3]


def _split(
    found: Sequence[str], first: int, last: int, depth: int, begins: list[int], owner: dict[int, int]
) -> None:
    """Cut lines ``first`` to ``last`` where a line at their own least indentation begins something."""
    least = min((_indent(line) for line in found[first:last] if line.strip()), default=0)
    heads = _heads(found, first, last, least)
    for begin, end in zip(heads, [*heads[1:], last], strict=True):
        begins.append(begin)
        if end - begin <= _LONG or depth == _DEEPEST:
            continue
        body = next((i for i in range(begin + 1, end) if found[i].strip() and _indent(found[i]) > least), end)
        inner = len(begins)
        if body < end:
            _split(found, body, end, depth + 1, begins, owner)
        for line in begins[inner:]:
            owner.setdefault(line, _named(found, begin, body))


def _heads(found: Sequence[str], first: int, last: int, least: int) -> list[int]:
    """Give the lines that begin a block: at the least indentation, closing nothing, behind no lead of theirs."""
    heads = [first]
    leading = _LEADING.match(found[first]) is not None
    for index in range(first + 1, last):
        line = found[index]
        if not line.strip() or _indent(line) > least or _CLOSING.match(line, least):
            continue
        leads = _LEADING.match(line) is not None
        if not leading:
            heads.append(index)
        leading = leads
    return heads


def _named(found: Sequence[str], begin: int, body: int) -> int:
    """Give the line that names a block: the first one that is no decorator or comment."""
    return next((i for i in range(begin, body) if not _LEADING.match(found[i])), begin)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def hunks(text: str) -> Units:
    """Make each hunk of a diff a unit, with its file's header as context."""
    starts = [0, *(found.start() for found in _HUNK.finditer(text) if found.start())]
    files: list[int] = []
    for index, start in enumerate(starts):
        files.append(index if not index or _FILE.match(text, start) else files[-1])

    def header(index: int) -> Span | None:
        owner = files[index]
        return (
            None
            if owner == index or not _FILE.match(text, starts[owner])
            else (starts[owner], starts[owner + 1])
        )

    return of_lines("hunks", text, starts, context=header, outline=sorted(set(files)))
