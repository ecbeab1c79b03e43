"""A tree laid out as lines: what shares a line, what stands under what, what needs no line.

Owns the order and indentation of a page's lines. How a line is written is `axline`'s.
"""

from collections.abc import Sequence

from caveman_engine.axline import Line
from caveman_engine.axnode import CONTROLS, INTERACTIVE, Node

# A row or item is one line up to so many characters and parts.
ROW_TEXT, ROW_PARTS = 1_000, 40
ITEM_TEXT, ITEM_PARTS = 240, 8
# More buttons than this in a run of text are a tool bar: one line each.
RUN_BUTTONS = 2
_FRAMES = frozenset(
    "page iframe banner navigation main contentinfo complementary search region form dialog alertdialog popup "
    "table".split(),
)
LANDMARKS = _FRAMES | {"alert", "status", "columns"}
_NOT_INLINE = (
    CONTROLS
    | LANDMARKS
    | frozenset(
        "row listitem heading tab option treeitem menuitem menuitemcheckbox menuitemradio".split(),
    )
)


def lines(root: Node) -> list[Line]:
    """Write a page down as lines, the page itself first."""
    out = [Line(0, -1, "node", root)]
    _below(root, 0, 0, out)
    return out


def _below(node: Node, depth: int, up: int, out: list[Line]) -> None:
    run: list[Node] = []
    for child in [*node.children, None]:
        if child is not None and _is_inline(child):
            run.append(child)
            continue
        _flush(run, depth, up, out)
        run = []
        if child is not None:
            _block(child, depth, up, out)


def _is_inline(node: Node) -> bool:
    """Tell what can stand in a run of text: text, what is clicked, pictures, and what holds nothing."""
    if node.role in _NOT_INLINE:
        return False
    clicked = node.role in INTERACTIVE or node.role in ("text", "image")
    return all(child is None or (clicked and _is_inline(child)) for child in node.children)


def _flush(run: list[Node], depth: int, up: int, out: list[Line]) -> None:
    """Write a run: on one line when words stand in it and few controls, else one line an element."""
    flat = [part for node in run for part in _flat(node)]
    if any(part.role == "text" for part in run) and sum(map(_is_button, run)) <= RUN_BUTTONS:
        out.append(Line(depth, up, "run", flat[0], list(flat)))
        return
    for node in run:
        first, *more = _flat(node)
        out.append(Line(depth, up, "run" if first.role == "text" else "node", first, _after(first, more)))


def _after(first: Node, more: Sequence[Node]) -> list[Node | None]:
    """Give the parts of a line: a run shows its first node among them, an element line before them."""
    return [first, *more] if first.role == "text" else list(more)


def _is_button(node: Node) -> bool:
    return node.is_interactive and node.role != "link"


def _flat(node: Node) -> list[Node]:
    return list(node.walk())


def _block(node: Node, depth: int, up: int, out: list[Line]) -> None:
    if node.role == "row":
        _row(node, depth, up, out)
    elif node.role == "listitem":
        parts = _parts(node, ITEM_TEXT, ITEM_PARTS)
        if parts or (parts is not None and node.clicks):
            out.append(Line(depth, up, "item", node, parts))
        elif any(child is not None for child in node.children):
            _item(node, depth, up, out)
    elif node.role == "table" and not (node.name or node.clicks):
        _table(node, depth, up, out)
    elif node.role in ("cell", "columnheader") and not node.clicks:
        _below(node, depth, up, out)
    elif any(child is not None for child in node.children):
        out.append(Line(depth, up, "node", node, _inline_parts(node)))
        if not out[-1].parts:
            _below(node, depth + 1, len(out) - 1, out)
    elif node.name or node.is_interactive or node.url or node.role in ("canvas", "iframe", "dialog"):
        out.append(Line(depth, up, "node", node))


def _inline_parts(node: Node) -> list[Node | None]:
    """Give what can follow an element on its own line: all that is in it, when that is one run of text."""
    if not all(child is None or _is_inline(child) for child in node.children):
        return []
    inside = [child for child in node.children if child is not None]
    together = node.is_interactive or node.role in ("heading", "term")
    worded = node.role not in _FRAMES and any(child.role == "text" for child in inside)
    worded = worded and sum(map(_is_button, inside)) <= RUN_BUTTONS
    if not together and (None in node.children or not worded):
        return []
    return [part for child in inside for part in _flat(child)]


def _table(node: Node, depth: int, up: int, out: list[Line]) -> None:
    """Write a table without a name: its column heads say that it begins; else its own line does."""
    heads = next((child for child in node.children if child is not None), None)
    if heads is None:
        return
    if heads.role == "row" and _is_heads(heads):
        _below(node, depth, up, out)
        return
    at = len(out)
    out.append(Line(depth, up, "node", node))
    _below(node, depth + 1, at, out)
    if len(out) == at + 1:
        out.pop()


def _is_heads(row: Node) -> bool:
    cells = [child for child in row.children if child is not None]
    return bool(cells) and all(cell.role == "columnheader" for cell in cells)


def _row(node: Node, depth: int, up: int, out: list[Line]) -> None:
    cells = [child for child in node.children if child is not None]
    parts: list[Node | None] = []
    for at, cell in enumerate(cells):
        found = _parts(cell, ROW_TEXT, ROW_PARTS)
        if found is None:
            _long_row(node, depth, up, out)
            return
        if at:
            parts.append(None)
        # A cell is shown where it can be clicked; what stands in a row without one is shown itself.
        silent = cell.role in ("cell", "columnheader") and not cell.clicks
        parts += found if silent else [cell, *found]
    if node.clicks or any(part is not None for part in parts):
        out.append(Line(depth, up, "columns" if _is_heads(node) else "row", node, parts))


def _long_row(node: Node, depth: int, up: int, out: list[Line]) -> None:
    """Write a row that is no line: as a group, or as nothing where a table only lays out the page."""
    inner = any(below.role in ("table", "row") and below is not node for below in node.walk())
    if inner and not node.clicks:
        _below(node, depth, up, out)
        return
    out.append(Line(depth, up, "node", node))
    _below(node, depth + 1, len(out) - 1, out)


def _item(node: Node, depth: int, up: int, out: list[Line]) -> None:
    """Write a longer list item: what it begins with on its own line, the rest below."""
    at = len(out)
    begin: list[Node | None] = []
    rest = list(node.children)
    while rest and (rest[0] is None or _is_inline(rest[0])):
        first = rest.pop(0)
        if first is None and begin:
            break
        if first is not None:
            begin += _flat(first)
    out.append(Line(depth, up, "item", node, begin))
    _below(Node("listitem", children=rest), depth + 1, at, out)


def _parts(node: Node, most_text: int, most_parts: int) -> list[Node | None] | None:
    """Give the inline parts of a cell or item; None when it is too much for one line."""
    parts: list[Node | None] = []
    for child in node.children:
        if child is None:
            continue
        if not _fits_in_row(child):
            return None
        parts += _flat(child)
    length = sum(len(part.name) for part in parts if part is not None)
    return parts if length <= most_text and len(parts) <= most_parts else None


def _fits_in_row(node: Node) -> bool:
    """Tell what a cell or item may hold on its one line: anything without structure of its own."""
    if node.role in CONTROLS or (node.role == "heading" and not node.children):
        return True
    return node.role not in _NOT_INLINE and all(
        child is None or _fits_in_row(child) for child in node.children
    )
