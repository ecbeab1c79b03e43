"""How an accessibility tree is written down: one line an element, a row, a list item or a run of text.

Owns the form of a line. Knows no Chrome, no store and no budget; references come in as a function. The form::

    page "Title" {hidden: 3}
    heading "Orders" {level 2}
    main
      [e1] textbox "Mail" = "ada@x.example" {required}
      [e2] combobox "Country" = "Norway" | Chile | Japan
      columns: No | Customer | Action
      row: INV-17 | Ada | [e3] Open [e4] Details /inv/17
      - [e5] Help /help
      "Read" [e6] link "the terms" /terms "first."

The page's line is the title of the rest, so what is in it is not set in: a space a line is a token a line.

Text of the page stands in JSON quotes. Only in rows, items and choices does it stand bare, where it has none of
the characters that mean something here. So no text can look like a line, a reference or a state of ours.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from caveman_engine.axnode import CONTROLS, INTERACTIVE, Node

SEPARATOR = " | "
LONGEST_URL = 160
# A row or item is one line up to so many characters and parts.
ROW_TEXT, ROW_PARTS = 1_000, 40
ITEM_TEXT, ITEM_PARTS = 240, 8
# More buttons than this in a run of text are a tool bar: one line each.
RUN_BUTTONS = 2
# More choices than this are counted, not listed.
CHOICES = 20

Reference = Callable[[Node], str]
"""Gives the reference of an element, "" for none."""

_RISKY = re.compile(
    r'["|\[\]{}\\\x00-\x1f\x7f-\x9f\u2028\u2029]|\A\Z|\A\s|\s\s|\s\Z|(?:\A|\s)(?:[/=…#]|\w+:/)',
)
_UNESCAPED = re.compile("[\x7f-\x9f\u2028\u2029]")
_URL_RISK = re.compile(r'["|\[\]{}\\\s\x00-\x1f\x7f-\x9f\u2028\u2029]')
_FRAMES = frozenset(
    "page iframe banner navigation main contentinfo complementary search region form dialog alertdialog popup "
    "table".split(),
)
LANDMARKS = _FRAMES | {"alert", "status", "columns"}
_NOT_INLINE = CONTROLS | LANDMARKS | {"row", "listitem", "heading"}


def no_reference(_node: Node) -> str:
    """Give no element a reference: for trees whose page cannot be acted on."""
    return ""


def quote(text: str) -> str:
    """Give a text in JSON quotes on one line, whatever line ends it has."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if quoted.isascii() else _UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def bare(text: str) -> str:
    """Give a text without quotes where nothing in it can be mistaken for ours."""
    return quote(text) if _RISKY.search(text) else text


@dataclass(slots=True)
class Line:
    """One line: its indentation, the index of the line it stands under (-1: none), and what it shows.

    ``kind`` is "node" (``parts[0]`` and what runs on after it), "run" (inline parts), "row", "columns" or "item".
    A part None in a row parts its cells.
    """

    depth: int
    up: int
    kind: str
    node: Node
    parts: list[Node | None] = field(default_factory=list)

    @property
    def label(self) -> str:
        """Say what the line is, for counts of what was left out."""
        if self.kind in ("row", "item", "columns"):
            return self.kind
        return "text" if self.kind == "run" else self.node.role

    def write(self, reference: Reference = no_reference, longest: int | None = None) -> str:
        """Give the line without its end. ``longest``: characters at which a text is cut (None: never)."""
        indent = "  " * self.depth
        if self.kind == "node":
            head = element(self.node, reference, longest)
            return indent + " ".join([head, *_run(self.parts, reference, longest)])
        if self.kind == "run":
            return indent + " ".join(_run(self.parts, reference, longest))
        prefix = {"row": "row", "columns": "columns", "item": "-"}[self.kind]
        if self.node.clicks and (given := reference(self.node)):
            prefix += f" [{given}]"
        prefix += "" if self.kind == "item" else ":"
        return (indent + prefix + " " + _cells(self.parts, reference, longest)).rstrip()


def element(node: Node, reference: Reference, longest: int | None = None) -> str:
    """Give one element in full: ``[ref] role "name" = "value" | other choice {states} url note "…"``."""
    given = reference(node) if node.is_interactive else ""
    out = f"[{given}] {node.role}" if given else node.role
    if node.name:
        out += " " + quote(_cut(node.name, longest))
    return out + _rest(node, longest)


def _rest(node: Node, longest: int | None) -> str:
    """Give what follows the name of an element."""
    out = f" = {quote(_cut(node.value, longest))}" if node.value else ""
    others = [option for option in node.options if option and option != node.value]
    if len(others) > CHOICES and longest is not None:
        out += f"{SEPARATOR}… {len(others)} choices"
    elif others:
        out += SEPARATOR + SEPARATOR.join(bare(option) for option in others)
    if node.states:
        out += " {" + ", ".join(node.states) + "}"
    if node.url and (
        node.role in ("link", "tab", "menuitem", "iframe", "page") or (node.role == "image" and not node.name)
    ):
        out += " " + _url(node.url, longest)
    if node.note and node.role not in ("link", "image", "page") and node.note != node.name:
        out += " note " + quote(_cut(node.note, longest))
    return out


def _url(url: str, longest: int | None) -> str:
    url = _URL_RISK.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)
    return url if longest is None or len(url) <= LONGEST_URL else url[:LONGEST_URL] + "…"


def _cut(text: str, longest: int | None) -> str:
    if longest is None or len(text) <= longest:
        return text
    return f"{text[:longest]}… (+{len(text) - longest:,} characters)"


def _run(parts: Sequence[Node | None], reference: Reference, longest: int | None) -> Iterator[str]:
    """Give inline parts in quotes."""
    for node in parts:
        if node is not None:
            text = node.role == "text"
            yield quote(_cut(node.name, longest)) if text else element(node, reference, longest)


def _cells(parts: Sequence[Node | None], reference: Reference, longest: int | None) -> str:
    """Give the parts of a row or item, bare where that is safe; None begins the next cell."""
    out: list[str] = []
    said = [node.name for node in parts if node is not None and node.role == "text" and len(node.name) > 2]
    after_element = False
    for at, node in enumerate(parts):
        if node is None:
            out.append("|")
            after_element = False
        elif node.role == "text":
            text = _cut(node.name, longest)
            out.append(quote(text) if after_element else bare(text))
            # Two bare texts side by side would read as one.
            after_element = at + 1 < len(parts) and parts[at + 1] is not None and after_element
        else:
            out.append(_short(node, said, reference, longest))
            after_element = True
    return " ".join(out)


def _short(node: Node, said: Sequence[str], reference: Reference, longest: int | None) -> str:
    """Give an element in a row: a reference alone is a button, one with a URL a link.

    A referenced element's name is shown without the words of another cell: "Open INV-17" beside "INV-17" is "Open".
    """
    given = reference(node) if node.is_interactive else ""
    plain = (node.role == "link" and bool(node.url)) or (node.role == "button" and bool(given))
    words = [f"[{given}]"] if given else []
    if not plain or not node.name:
        words.append(node.role)
    if node.name:
        words.append(bare(_cut(_without(node.name, said) if given else node.name, longest)))
    return " ".join(words) + _rest(node, longest)


def _without(name: str, said: Sequence[str]) -> str:
    """Give what a name says beyond a text beside it that it begins or ends with."""
    for text in said:
        if name.endswith(" " + text):
            return name[: -len(text)].rstrip()
        if name.startswith(text + " "):
            return name[len(text) :].lstrip()
    return name


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
        if parts:
            out.append(Line(depth, up, "item", node, parts))
        elif any(child is not None for child in node.children):
            _item(node, depth, up, out)
    elif node.role == "table" and not node.name:
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
        found = _parts(cell, ROW_TEXT, ROW_PARTS) if cell.role in ("cell", "columnheader") else [cell]
        if found is None:
            _long_row(node, depth, up, out)
            return
        if at:
            parts.append(None)
        parts += found
    if any(part is not None for part in parts):
        out.append(Line(depth, up, "columns" if _is_heads(node) else "row", node, parts))


def _long_row(node: Node, depth: int, up: int, out: list[Line]) -> None:
    """Write a row that is no line: as a group, or as nothing where a table only lays out the page."""
    if any(below.role == "table" for below in node.walk()):
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
    parts: list[Node | None] = [node] if node.clicks and node.role == "cell" else []
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
