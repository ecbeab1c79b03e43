"""The form of a line: one an element, a row, a list item or a run of text.

Owns quoting, and how an element, a row and a run are written. Knows neither trees nor budgets; references come in as a
function. The form::

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

from caveman_engine.axnode import Node

SEPARATOR = " | "
LONGEST_URL = 160
# More choices than this are counted, not listed.
CHOICES = 20

Reference = Callable[[Node], str]
"""Gives the reference of an element, "" for none."""
Shorten = Callable[[str], str]
"""Gives a text that is not too long; None in its place: texts are written whole."""

_RISKY = re.compile(
    r'["|\[\]{}\\\x00-\x1f\x7f-\x9f\u2028\u2029]|\A\Z|\A\s|\s\s|\s\Z|(?:\A|\s)(?:[/=…#]|\w+:/)',
)
_UNESCAPED = re.compile("[\x7f-\x9f\u2028\u2029]")
_URL_RISK = re.compile(r'["|\[\]{}\\\s\x00-\x1f\x7f-\x9f\u2028\u2029]')


def no_reference(_node: Node) -> str:
    """Give no element a reference: for trees whose page cannot be acted on."""
    return ""


def quote(text: str) -> str:
    """Give a text in JSON quotes on one line, whatever line ends it has."""
    return _UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


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

    def write(self, reference: Reference = no_reference, shorten: Shorten | None = None) -> str:
        """Give the line without its end."""
        indent = "  " * self.depth
        if self.kind == "node":
            head = element(self.node, reference, shorten)
            return indent + " ".join([head, *_run(self.parts, reference, shorten)])
        if self.kind == "run":
            return indent + " ".join(_run(self.parts, reference, shorten))
        prefix = {"row": "row", "columns": "columns", "item": "-"}[self.kind]
        if self.node.clicks and (given := reference(self.node)):
            prefix += f" [{given}]"
        prefix += "" if self.kind == "item" else ":"
        return (indent + prefix + " " + _cells(self.parts, reference, shorten)).rstrip()


def element(node: Node, reference: Reference, shorten: Shorten | None = None) -> str:
    """Give one element in full: ``[ref] role "name" = "value" | other choice {states} url note "…"``."""
    given = reference(node) if node.is_interactive else ""
    out = f"[{given}] {node.role}" if given else node.role
    if node.name:
        out += " " + quote(_cut(node.name, shorten))
    return out + _rest(node, shorten)


def _rest(node: Node, shorten: Shorten | None) -> str:
    """Give what follows the name of an element."""
    out = f" = {quote(_cut(node.value, shorten))}" if node.value else ""
    others = [option for option in node.options if option and option != node.value]
    if len(others) > CHOICES and shorten is not None:
        out += f"{SEPARATOR}… {len(others)} choices"
    elif others:
        out += SEPARATOR + SEPARATOR.join(bare(option) for option in others)
    if node.states:
        out += " {" + ", ".join(node.states) + "}"
    if node.url and (
        node.role in ("link", "tab", "menuitem", "iframe", "page") or (node.role == "image" and not node.name)
    ):
        out += " " + _url(node.url, shorten)
    if node.note and node.role not in ("link", "image", "page") and node.note != node.name:
        out += " note " + quote(_cut(node.note, shorten))
    return out


def _url(url: str, shorten: Shorten | None) -> str:
    url = _URL_RISK.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)
    return url if shorten is None or len(url) <= LONGEST_URL else url[:LONGEST_URL] + "…"


def shortener(longest: int, words: str = "") -> Shorten:
    """Give the function that cuts a text to ``longest`` characters: round the first of the words, else at the end."""
    wanted = [word.strip('"/').casefold() for word in words.split() if len(word) > 1]

    def shorten(text: str) -> str:
        if len(text) <= longest:
            return text
        folded = text.casefold() if wanted else ""
        first = min((at for word in wanted if (at := folded.find(word)) >= 0), default=0)
        # Folding may change the length; then the place is not known.
        begin = first - longest // 4 if first > longest // 2 and len(folded) == len(text) else 0
        shown = text[begin : begin + longest]
        return f"{'…' * (begin > 0)}{shown}… (+{len(text) - len(shown):,} characters)"

    return shorten


def _cut(text: str, shorten: Shorten | None) -> str:
    return text if shorten is None else shorten(text)


def _run(parts: Sequence[Node | None], reference: Reference, shorten: Shorten | None) -> Iterator[str]:
    """Give inline parts in quotes."""
    for node in parts:
        if node is not None:
            text = node.role == "text"
            yield quote(_cut(node.name, shorten)) if text else element(node, reference, shorten)


def _cells(parts: Sequence[Node | None], reference: Reference, shorten: Shorten | None) -> str:
    """Give the parts of a row or item, bare where that is safe; None begins the next cell."""
    out: list[str] = []
    said = [node.name for node in parts if node is not None and node.role == "text" and len(node.name) > 2]
    begins = True
    for node in parts:
        if node is None:
            out.append("|")
        elif node.role == "text":
            # Beside anything else in its cell a bare text could be taken for a part of that.
            out.append((bare if begins else quote)(_cut(node.name, shorten)))
        else:
            out.append(_short(node, said, reference, shorten, begins=begins))
        begins = node is None
    return " ".join(out)


def _short(
    node: Node, said: Sequence[str], reference: Reference, shorten: Shorten | None, *, begins: bool
) -> str:
    """Give an element in a row: a reference alone is a button, one with a URL a link.

    Their names are shown without the words of another cell: "Open INV-17" beside "INV-17" is "Open".
    """
    given = reference(node) if node.is_interactive else ""
    plain = (node.role == "link" and bool(node.url)) or (node.role == "button" and bool(given))
    words = [f"[{given}]"] if given else []
    if not plain or not node.name:
        words.append(node.role)
    if node.name:
        name = _cut(_without(node.name, said) if given and plain else node.name, shorten)
        words.append(bare(name) if words or begins else quote(name))
    return " ".join(words) + _rest(node, shorten)


def _without(name: str, said: Sequence[str]) -> str:
    """Give what a name says beyond a text beside it that it begins or ends with."""
    for text in said:
        if name.endswith(" " + text):
            return name[: -len(text)].rstrip()
        if name.startswith(text + " "):
            return name[len(text) :].lstrip()
    return name
