"""What an outline of a source file folds. Owns bodies, comments and long literals; everything else stays.

Rows are line indices. The rules read the syntax tree by the names that grammars share, so one set serves twelve
languages. A body that mostly holds functions of its own (a module wrapper, a test suite) is entered, not folded.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_FUNCTION = re.compile(
    r"function|method|constructor|destructor|closure|lambda|func_literal|arrow|accessor|do_block"
)
_CLASS = re.compile(
    r"class|interface|struct|enum|trait|impl|module|namespace|union|record|protocol|type_spec"
)
_BLOCKS = frozenset(("block", "statement_block", "compound_statement", "body_statement", "constructor_body"))
_LITERAL = re.compile(
    r"(?:array|list|object|dictionary|set|hash|initializer_list|literal_value|array_expression|array_initializer|"
    r"array_creation_expression|initializer_expression|tuple|token_tree)\Z"
)
_COMMENT = re.compile(r"comment\Z")
# Bodies, statements at the top level, literals and comments of fewer rows are shown.
_BODY, _STATEMENT, _LITERAL_ROWS, _COMMENT_ROWS = 3, 15, 40, 6
_LITERAL_SHOWN, _COMMENT_SHOWN = 12, 3
# A body of which its own functions take this share is a container.
_CONTAINER = 0.5
_DEEPEST_CONTAINER = 6


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows ``first`` to ``last`` to leave out. ``holds`` a statement's place, so that the rest still parses.

    ``doc`` are the rows of the body's docstring that are left out with it; their own fold is ``silent``.
    """

    first: int
    last: int
    indent: str = ""
    holds: bool = False
    silent: bool = False
    doc: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named function or class: its first row, the first row of its body, its last row."""

    name: str
    first: int
    body: int
    last: int


class Outline:
    """Reads a tree once: ``folds`` and ``symbols`` in source order, ``comments`` the rows that only comment."""

    def __init__(self, tree: "Tree", lines: Sequence[str], cue: re.Pattern[str]) -> None:
        self._lines = lines
        self._cue = cue
        self.folds: list[Fold] = []
        self.symbols: list[Symbol] = []
        self.comments: set[int] = set()
        self._row = -1
        self._functions = sorted(_functions(tree.root_node))
        self._walk(tree.root_node)
        self._fold_comments()
        self.folds.sort(key=lambda fold: fold.first)

    def _walk(self, root: "Node") -> None:
        """Visit what is not folded. The stack holds (node, containers entered so far)."""
        stack = [(root, 0)]
        while stack:
            node, entered = stack.pop()
            first, last = _rows(node)
            if _COMMENT.search(node.type):
                self._note_comment(node, first, last)
                continue
            if last <= first:
                continue
            self._note_symbol(node, first, last)
            if node.type in _BLOCKS and self._fold_block(node, entered):
                continue
            if _LITERAL.match(node.type) and self._fold_literal(node, first, last):
                continue
            entered += node.type in _BLOCKS
            stack.extend((child, entered) for child in reversed(node.children))

    def _note_comment(self, node: "Node", first: int, last: int) -> None:
        """Note the rows of a comment with nothing before it; only the first on a row can be one."""
        if first == self._row:
            return
        self._row = first
        before = self._lines[first].encode("utf-8", "replace")[: node.start_point.column]
        if not before.strip():
            self.comments.update(range(first, last + 1))

    def _note_symbol(self, node: "Node", first: int, last: int) -> None:
        if not (_FUNCTION.search(node.type) or _CLASS.search(node.type)) or not (name := _name(node)):
            return
        body = node.child_by_field_name("body")
        start = _rows(body)[0] if body is not None else first
        self.symbols.append(Symbol(name, first, max(first + 1, start + (start == first)), last))

    def _fold_block(self, node: "Node", entered: int) -> bool:
        """Fold a body, if it is one and long enough; say whether its nodes are done with."""
        parent = node.parent
        if parent is None or (_CLASS.search(parent.type) and not _FUNCTION.search(parent.type)):
            return False
        first, last = self._interior(node)
        least = _BODY if _FUNCTION.search(parent.type) else _STATEMENT
        if last - first + 1 <= least:
            return bool(_FUNCTION.search(parent.type))
        if entered < _DEEPEST_CONTAINER and self._own(first, last) >= _CONTAINER * (last - first + 1):
            return False
        start = next((row for row in range(first, last + 1) if self._lines[row].strip()), first)
        indent = _indent(
            self._lines[_rows(node)[0] if node.type == "block" and _rows(node)[0] >= first else start]
        )
        doc = None
        for doc_first, doc_last in _docstring(node):
            first = max(first, doc_last + 1)
            if doc_last - doc_first > 2:
                doc = (doc_first + 1, doc_last - 1)
                self.folds.append(Fold(*doc, indent, silent=last - first >= _BODY))
        if first <= last:
            self.folds.append(
                Fold(first, last, indent, holds=True, doc=doc if last - first >= _BODY else None)
            )
        return True

    def _fold_literal(self, node: "Node", first: int, last: int) -> bool:
        """Fold the elements of a long literal between its beginning and its last one."""
        if last - first <= _LITERAL_ROWS or self._own(first, last):
            return False
        spans = [_rows(child) for child in node.children if child.is_named]
        pairs = pairwise([(first, first), *spans])
        start = next((b[0] for a, b in pairs if b[0] > a[1] and b[0] >= first + _LITERAL_SHOWN), last)
        stop = spans[-1][0] - 1 if spans else first
        if stop - start < _LITERAL_ROWS // 4 or spans[-2][1] > stop:
            return False
        self.folds.append(Fold(start, stop, _indent(self._lines[start])))
        return True

    def _own(self, first: int, last: int) -> int:
        """Count the rows that functions take which begin and end within ``first`` to ``last``."""
        rows, i = 0, bisect_left(self._functions, (first, 0))
        while i < len(self._functions) and self._functions[i][0] <= last:
            start, end = self._functions[i]
            if end <= last:
                rows += end - start + 1
                i = bisect_left(self._functions, (end + 1, 0))
            else:
                i += 1
        return rows

    def _interior(self, node: "Node") -> tuple[int, int]:
        """Give the rows between a body's first and last line, or all rows of one without braces."""
        first, last = _rows(node)
        opening = node.children[0].type if node.children else ""
        if opening in {"{", "do", "begin"}:
            closing = self._lines[last].strip()[:1] in {"}", "d", "e"}
            return first + 1, last - 1 if closing else last
        before = node.prev_sibling
        while before is not None and _COMMENT.search(before.type):
            before = before.prev_sibling
        return max((_rows(before)[1] + 1) if before is not None else first, 0), last

    def _fold_comments(self) -> None:
        """Fold long comments but for their beginning, rows with a cue, and the row that closes them."""
        folded = {row for fold in self.folds for row in range(fold.first, fold.last + 1)}
        for first, last in _runs(sorted(self.comments - folded)):
            if last - first + 1 <= _COMMENT_ROWS:
                continue
            hidden = [
                row for row in range(first + _COMMENT_SHOWN, last) if not self._cue.search(self._lines[row])
            ]
            self.folds.extend(Fold(a, b, _indent(self._lines[first])) for a, b in _runs(hidden) if b > a)


def _rows(node: "Node") -> tuple[int, int]:
    """Give first and last row; a node that ends at the start of a row does not reach into it."""
    first, end = node.start_point.row, node.end_point
    return first, end.row - 1 if end.column == 0 and end.row > first else end.row


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _runs(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the first and last of each run of neighbours in rising ``rows``."""
    start = previous = -2
    for row in rows:
        if row != previous + 1:
            if start >= 0:
                yield start, previous
            start = row
        previous = row
    if start >= 0:
        yield start, previous


def _name(node: "Node") -> str:
    """Give what a function or class is called, by its own name or by what it is assigned to."""
    named = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    if named is None and node.parent is not None:
        owner = node.parent
        named = next(
            (
                found
                for field in ("name", "key", "left")
                if (found := owner.child_by_field_name(field)) is not None
            ),
            None,
        )
    if named is None or named.text is None:
        return ""
    words = re.findall(r"[\w$.:~]+", named.text[:200].decode("utf-8", "replace").split("(")[0])
    return re.split(r"[.:]", words[-1])[-1] if words else ""


def _functions(root: "Node") -> Iterator[tuple[int, int]]:
    """Give the rows of all functions that have a body of more than a row, outer before inner."""
    stack = [root]
    while stack:
        node = stack.pop()
        first, last = _rows(node)
        if last - first < 2:
            continue
        if _FUNCTION.search(node.type) and node.child_by_field_name("body") is not None:
            yield first, last
        stack.extend(reversed(node.children))


def _docstring(node: "Node") -> Iterator[tuple[int, int]]:
    """Give the rows of a Python docstring that opens a body."""
    first = next(
        (child for child in node.children if child.is_named and not _COMMENT.search(child.type)), None
    )
    if node.type != "block" or first is None or first.type != "expression_statement":
        return
    if first.children and first.children[0].type == "string":
        yield _rows(first)
