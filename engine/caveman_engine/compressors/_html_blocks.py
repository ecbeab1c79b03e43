"""How a page becomes blocks of light Markdown. Owns what of HTML is text, structure or furniture.

A block is a paragraph, heading, list item, table row, field or block of preformatted text. Furniture (navigation,
page header and footer, asides) is labelled, not dropped: what to show is decided elsewhere.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SPACE = re.compile(r"[ \t\n\r\f\xa0]+")
_STRIPPED = frozenset(
    ("script", "style", "noscript", "template", "svg", "math", "head", "link", "meta", "object")
)
# fmt: off
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend", "li",
    "main", "menu", "nav", "ol", "optgroup", "p", "section", "summary", "table", "tbody", "td", "tfoot",
    "th", "thead", "tr", "ul", "caption",
))
# fmt: on
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FURNITURE = {"nav": "navigation", "footer": "footer", "aside": "aside"}
_ROLES = {"navigation": "navigation", "contentinfo": "footer", "banner": "header", "complementary": "aside"}
_FURNITURE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navbox|navigation|breadcrumbs?|sidebar|footer|menu|cookie|toc|share|social|related)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)
_SECTIONING = frozenset(("article", "main"))
# Deeper than this the structure says nothing more: the rest is taken as text.
_DEEPEST = 150
_BREAK = "\x00"  # a <br>; the parser lets no NUL through
_PERMALINKS = frozenset(("¶", "#", "§", "🔗"))
_MOST_OPTIONS = 12
# Preformatted text of more lines than this is a document, not a listing.
_LISTING = 40
# A longer image source is the address of a cache.
_LONGEST_SOURCE = 160
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")
# A target is deduced from the link's text if it has no more than so many letters beside it.
_DEDUCED, _EXTENSION = 12, re.compile(r"\.(?:x?html?|php|aspx?|md)$")
_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Block:
    """A piece of a page. ``level`` is a heading's (0: none); ``needs`` the block that gives it sense, or -1."""

    text: str
    level: int = 0
    furniture: str = ""
    links: int = 0
    needs: int = -1


@dataclass(slots=True)
class _Line:
    """The inline text since the last block."""

    parts: list[str] = field(default_factory=list)
    links: int = 0


class Page:
    """Walks a document once; ``blocks`` in reading order, ``deduced`` link targets that their text repeats."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.deduced = 0
        self._line = _Line()
        self._furniture = ""
        self._inside = 0  # <main> and <article> around this place
        self._prefix = ""
        self._bullet = ""
        self._in_cell = False
        self._sources: set[str] = set()

    def walk(self, node: "LexborNode", depth: int = 0) -> None:
        """Take one element and all that is in it."""
        child = node.first_child
        while child is not None:
            self._node(child, depth + 1)
            child = child.next

    def _node(self, node: "LexborNode", depth: int) -> None:
        tag = node.tag or ""
        if tag == "-text":
            self._line.parts.append(node.text_content or "")
        elif tag[:1] not in {"-", "!"} and tag not in _STRIPPED:
            self._element(node, tag, depth)

    def flush(self, level: int = 0) -> None:
        """Close the block that the inline text so far makes."""
        line, self._line = self._line, _Line()
        text = _SPACE.sub(" ", "".join(line.parts)).strip()
        rows = [row for row in (row.strip() for row in text.split(_BREAK)) if row]
        if not rows:
            return
        lead = self._bullet or self._prefix
        self._bullet = ""
        mark = "#" * level + " " if level else ""
        shown = lead + mark + ("\n" + self._prefix).join(rows)
        self.blocks.append(Block(shown, level, self._furniture, line.links))

    def _element(self, node: "LexborNode", tag: str, depth: int) -> None:
        if depth > _DEEPEST:
            self._line.parts.append(" " + (node.text(separator=" ") or ""))
            return
        attributes = node.attributes
        if "hidden" in attributes or _HIDDEN.search(attributes.get("style") or ""):
            return
        if handler := self._HANDLERS.get(tag):
            handler(self, node, attributes, depth)
        elif tag in _HEADINGS:
            self.flush()
            self.walk(node, depth)
            self.flush(_HEADINGS[tag])
        elif tag in _BLOCKS:
            self._block(node, tag, attributes, depth)
        else:
            self.walk(node, depth)

    def _block(self, node: "LexborNode", tag: str, attributes: dict[str, str | None], depth: int) -> None:
        """Walk an element that begins and ends a block, noting where furniture begins."""
        self.flush()
        outer = self._furniture
        if not outer and tag != "body":
            self._furniture = self._label(tag, attributes)
        self._inside += tag in _SECTIONING
        self.walk(node, depth)
        self.flush()
        self._inside -= tag in _SECTIONING
        self._furniture = outer

    def _label(self, tag: str, attributes: dict[str, str | None]) -> str:
        if tag in _FURNITURE:
            return _FURNITURE[tag]
        if label := _ROLES.get(attributes.get("role") or "", ""):
            return label
        if tag == "header" and not self._inside:
            return "header"
        if not attributes or tag in _SECTIONING:
            return ""
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        return (
            "navigation"
            if tag in {"div", "ul", "ol", "table", "section"} and _FURNITURE_CLASS.search(names)
            else ""
        )

    def _break(self, _node: "LexborNode", _attributes: dict[str, str | None], _depth: int) -> None:
        self._line.parts.append(_BREAK)

    def _rule(self, _node: "LexborNode", _attributes: dict[str, str | None], _depth: int) -> None:
        self.flush()

    def _link(self, node: "LexborNode", attributes: dict[str, str | None], depth: int) -> None:
        """Show text and target; one that holds blocks gets its target behind the last of them."""
        line, made, start = self._line, len(self.blocks), len(self._line.parts)
        self.walk(node, depth)
        target = (attributes.get("href") or "").strip()
        if len(self.blocks) == made and self._line is line:
            text = "".join(line.parts[start:])
            label = text.strip(" \t\r\n\x00") or (
                attributes.get("aria-label") or attributes.get("title") or ""
            )
            if label in _PERMALINKS and target.startswith("#"):
                del line.parts[start:]
                return
            line.links += 1
            if label and self._tells(target, label):
                lead = " " if text[:1].isspace() else ""
                tail = " " if text[-1:].isspace() else ""
                line.parts[start:] = [f"{lead}[{label.strip()}]({target}){tail}"]
        elif len(self.blocks) > made and self._tells(target, self.blocks[-1].text):
            self.blocks[-1].text += f" ({target})"
            self.blocks[-1].links += 1

    def _tells(self, target: str, label: str) -> bool:
        """Tell a target that a reader could not write down from the link's text."""
        if not target or target.startswith("#") or target.lower().startswith(("javascript:", "data:")):
            return False
        if target.removeprefix("mailto:") == label:
            return False
        if "//" in target:
            return True
        said = _LETTERS.sub("", label.lower())
        told = _LETTERS.sub("", _EXTENSION.sub("", target.lower()))
        if len(said) > 5 and said in told and len(told) - len(said) <= _DEDUCED:
            self.deduced += 1
            return False
        return True

    def _image(self, _node: "LexborNode", attributes: dict[str, str | None], _depth: int) -> None:
        """Show what an image is said to be and, in the content of the page, where it is."""
        alt = (attributes.get("alt") or "").strip()
        source = (attributes.get("src") or "").strip()
        if self._is_told(source, attributes) and (alt or not self._in_cell):
            self._sources.add(source)
            self._line.parts.append(f"![{alt}]({source})")
        elif alt:
            self._line.parts.append(f"![{alt}]")

    def _is_told(self, source: str, attributes: dict[str, str | None]) -> bool:
        """Tell a picture from an icon that comes again, a dot that counts visits and data."""
        if self._furniture or not 0 < len(source) <= _LONGEST_SOURCE or source[:5].lower() == "data:":
            return False
        return source not in self._sources and "1" not in {attributes.get("width"), attributes.get("height")}

    def _frame(self, node: "LexborNode", attributes: dict[str, str | None], _depth: int) -> None:
        if (source := attributes.get("src")) and not source.startswith("data:"):
            self._line.parts.append(f" [{node.tag}]({source}) ")

    def _input(self, _node: "LexborNode", attributes: dict[str, str | None], _depth: int) -> None:
        kind = attributes.get("type") or "text"
        if kind == "hidden":
            return
        said = [attributes.get(name) or "" for name in ("name", "value", "placeholder", "aria-label")]
        flags = [name for name in ("checked", "required", "disabled") if name in attributes]
        words = " ".join(dict.fromkeys(word for word in (kind, *said, *flags) if word))
        self._line.parts.append(f" [{words}] ")

    def _button(self, node: "LexborNode", attributes: dict[str, str | None], depth: int) -> None:
        self._line.parts.append(" [button: ")
        made, start = len(self.blocks), len(self._line.parts)
        self.walk(node, depth)
        if len(self.blocks) == made and not "".join(self._line.parts[start:]).strip():
            self._line.parts.append(attributes.get("aria-label") or "")
        self._line.parts.append("] ")

    def _select(self, node: "LexborNode", attributes: dict[str, str | None], _depth: int) -> None:
        options = [_SPACE.sub(" ", option.text() or "").strip() for option in node.css("option")]
        shown = " | ".join(options if len(options) <= _MOST_OPTIONS else options[: _MOST_OPTIONS // 2])
        more = f" … {len(options)} options" if len(options) > _MOST_OPTIONS else ""
        self._line.parts.append(f" [select {attributes.get('name') or ''}: {shown}{more}] ")

    def _preformatted(self, node: "LexborNode", _attributes: dict[str, str | None], _depth: int) -> None:
        """Keep lines as they stand: a listing in one fenced block, a document paragraph by paragraph."""
        self.flush()
        text = (node.text() or "").strip("\n").rstrip()
        if not text.strip():
            return
        if text.count("\n") < _LISTING:
            self.blocks.append(Block(f"```\n{text}\n```", 0, self._furniture))
            return
        for part in _PARAGRAPHS.split(text):
            self.blocks.append(Block(part.rstrip(), 0, self._furniture))

    def _list(self, node: "LexborNode", attributes: dict[str, str | None], depth: int) -> None:
        """Walk a list, its items with a bullet or a number and two columns further in."""
        self.flush()
        outer, bullet = self._prefix, self._bullet
        furniture = self._furniture
        self._furniture = furniture or self._label(node.tag or "", attributes)
        self._bullet = ""
        ordered = node.tag == "ol"
        start = attributes.get("start") or "1"
        number = int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1
        child = node.first_child
        while child is not None:
            if child.tag == "li" and "hidden" not in child.attributes:
                self._bullet = f"{outer}{number}. " if ordered else f"{outer}- "
                self._prefix = outer + "  "
                number += 1
                self.walk(child, depth + 1)
                self.flush()
                self._bullet, self._prefix = "", outer
            else:
                self._node(child, depth + 1)
            child = child.next
        self.flush()
        self._prefix, self._bullet, self._furniture = outer, bullet, furniture

    def _definition(self, node: "LexborNode", _attributes: dict[str, str | None], depth: int) -> None:
        """Set what a term means two columns in, and tie it to its term."""
        self.flush()
        outer = self._prefix
        term, made = len(self.blocks) - 1, len(self.blocks)
        self._prefix = outer + "  "
        self.walk(node, depth)
        self.flush()
        self._prefix = outer
        if len(self.blocks) > made and self.blocks[made].needs < 0 and not self.blocks[made].level:
            self.blocks[made].needs = term

    def _table(self, node: "LexborNode", attributes: dict[str, str | None], depth: int) -> None:
        """Show a table of data row by row; one that only lays the page out is walked like any other element."""
        self.flush()
        furniture = self._furniture
        self._furniture = furniture or self._label("table", attributes)
        if not self._rows(node, attributes, depth):
            self.walk(node, depth)
            self.flush()
        self._furniture = furniture

    def _rows(self, node: "LexborNode", attributes: dict[str, str | None], depth: int) -> bool:
        rows = node.css("tr")
        nested = any(inner.mem_id != node.mem_id for inner in node.css("table"))
        if nested or attributes.get("role") == "presentation" or not rows:
            return False
        outer, self.blocks = self.blocks, []
        made: list[tuple[list[str], bool, int]] = []
        for row in rows:
            cells, heads, links = [], [], 0
            cell = row.first_child
            while cell is not None:
                if cell.tag in {"td", "th"}:
                    text, count, parts = self._cell(cell, depth + 2)
                    if parts > 8 or (len(text) > 600 and len(rows) < 4):
                        self.blocks = outer
                        return False
                    cells.append(text)
                    heads.append(cell.tag == "th")
                    links += count
                cell = cell.next
            made.append((cells, bool(heads) and all(heads), links))
        self.blocks = outer
        self._append_rows(node, made, depth)
        return True

    def _append_rows(self, node: "LexborNode", made: list[tuple[list[str], bool, int]], depth: int) -> None:
        caption = node.css_first("caption")
        if caption is not None:
            self.walk(caption, depth)
            self.flush()
        header = -1
        for position, (cells, is_header, links) in enumerate(made):
            if not any(cells):
                continue
            text = self._prefix + "| " + " | ".join(cells) + " |"
            if is_header and header < 0 and position == 0:
                text += "\n" + self._prefix + "|" + "---|" * len(cells)
                header = len(self.blocks)
                self.blocks.append(Block(text, 0, self._furniture, links))
            else:
                self.blocks.append(Block(text, 0, self._furniture, links, header))

    def _cell(self, node: "LexborNode", depth: int) -> tuple[str, int, int]:
        """Give a cell's text on one line, its links, and of how many blocks it is made."""
        prefix, self._prefix, self.blocks, self._in_cell = self._prefix, "", [], True
        self.walk(node, depth)
        self.flush()
        self._prefix, self._in_cell = prefix, False
        parts = [block.text for block in self.blocks]
        links = sum(block.links for block in self.blocks)
        text = "; ".join(part.replace("\n", " ") for part in parts)
        return text.replace("|", "\\|"), links, len(parts)

    _HANDLERS: ClassVar = {
        "a": _link,
        "br": _break,
        "hr": _rule,
        "img": _image,
        "iframe": _frame,
        "video": _frame,
        "audio": _frame,
        "input": _input,
        "button": _button,
        "select": _select,
        "textarea": _input,
        "pre": _preformatted,
        "ul": _list,
        "ol": _list,
        "dd": _definition,
        "table": _table,
    }
