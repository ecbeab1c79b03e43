"""[html] a page as light Markdown: what a reader sees, link targets, fields; scripts, styles and markup left out.

A page that is still long loses its furniture; with a question, or a bound, the blocks that answer it stay.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from caveman_engine import markers
from caveman_engine.compressors import _passages
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from caveman_engine.compressors._html_blocks import Block

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")
_PAGE = re.compile(
    r"\s*+(?:<\?xml[^>]*>\s*+)?(?:(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
# fmt: off
_NAMES = frozenset((
    "a", "article", "body", "br", "button", "div", "em", "footer", "form", "h1", "h2", "h3", "h4", "head",
    "header", "img", "input", "label", "li", "link", "main", "meta", "nav", "ol", "option", "p", "script",
    "section", "select", "span", "strong", "style", "svg", "table", "tbody", "td", "th", "thead", "title",
    "tr", "ul",
))
# fmt: on
_STRUCTURE = frozenset(("div", "p", "a", "table", "ul", "h1", "h2", "section", "form"))
# Elements that need no end tag say nothing about depth.
# fmt: off
_UNCLOSED = frozenset((
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option",
    "p", "param", "path", "source", "tbody", "td", "th", "thead", "tr", "track", "wbr",
))
# fmt: on
# A tree deeper than this is no page: the parser's time grows with the square of the depth.
_DEEPEST = 2_000
# So many equal blocks in a row, seen before, are the same menu once more.
_REPEATED = 3
# Without this share of the text in the body of the page, furniture is the content.
_LEAST_CONTENT = 0.25
# A single block of this length is shown: a marker would hardly be shorter.
_WORTH_A_MARKER = 60
_SAMPLE = 60_000
_ABOUT = (
    ("description", "meta[name=description], meta[property='og:description']"),
    ("author", "meta[name=author], meta[property='article:author']"),
    ("published", "meta[property='article:published_time'], meta[name=date]"),
    ("canonical", "link[rel=canonical]"),
)


def detect(payload: Payload) -> float:
    """Score a doctype or root element, else the share of tags that are HTML's."""
    text = payload.text[:_SAMPLE]
    if _PAGE.match(text):
        return 0.95
    if "<" not in text:
        return 0.0
    tags = [found[2].lower() for found in _TAG.finditer(text)]
    known = [tag for tag in tags if tag in _NAMES]
    if len(known) < 8 or len(known) < 0.7 * len(tags) or not _STRUCTURE.intersection(known):
        return 0.0
    inside = sum(len(found[0]) for found in _TAG.finditer(text)) / len(text)
    if text.lstrip()[:1] == "<":
        return 0.85 if inside > 0.2 else 0.6
    return 0.4 if inside > 0.3 else 0.2


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the whole page as Markdown, then without furniture, then its best blocks."""
    text = payload.text
    if "<" not in text or _is_too_deep(text):
        return
    blocks, note = _read(text)
    if not blocks:
        return
    if request.query is None:
        repeated = _repeated(blocks)
        yield _view(blocks, repeated, note, "html-markdown")
        furniture = _furniture(blocks)
        if furniture - repeated:
            yield _view(blocks, furniture | repeated, note, "html-content")
    if request.query is not None or request.hard:
        yield _selected(blocks, note, request, text)


def _is_too_deep(text: str) -> bool:
    """Tell markup whose elements nest as no page's do."""
    depth = 0
    for found in _TAG.finditer(text):
        if found[2].lower() not in _UNCLOSED and not found[0].endswith("/>"):
            depth = max(0, depth + (-1 if found[1] else 1))
            if depth > _DEEPEST:
                return True
    return False


def _read(text: str) -> tuple[list["Block"], str]:
    """Parse a page into its blocks, the title and description first, and a note on what was stripped."""
    from selectolax.lexbor import LexborHTMLParser

    from caveman_engine.compressors._html_blocks import Block, Page

    document = LexborHTMLParser(text)
    page = Page()
    if document.body is not None:
        page.walk(document.body)
        page.flush()
    head = [Block(line) for line in _head(document, page.blocks)]
    for block in page.blocks:
        block.needs += len(head) if block.needs >= 0 else 0
    return [*head, *page.blocks], _note(document, page.deduced)


def _head(document: "LexborHTMLParser", blocks: Sequence["Block"]) -> Iterator[str]:
    """Give the title, and what the page says about itself where its body does not."""
    title = document.css_first("title")
    if title is not None and (text := " ".join((title.text() or "").split())):
        yield f"title: {text}"
    seen = "\n".join(block.text for block in blocks)
    said: set[str] = set()
    for name, selector in _ABOUT:
        node = document.css_first(selector)
        found = node.attributes.get("content") or node.attributes.get("href") if node else None
        value = " ".join((found or "").split())
        if value and value not in seen and value not in said:
            said.add(value)
            yield f"{name}: {value}"


def _note(document: "LexborHTMLParser", deduced: int) -> str:
    """Say what the strip took: scripts and styles by size, link targets that their text repeats."""
    sizes = {"scripts": 0, "styles": 0, "drawings": 0}
    for word, selector in (("scripts", "script"), ("styles", "style"), ("drawings", "svg")):
        sizes[word] = sum(len(node.html or "") for node in document.css(selector))
    said = [f"{word} {size:,} characters" for word, size in sizes.items() if size > 200]
    if deduced:
        said.append(f"{deduced:,} link targets that repeat their text")
    return ", ".join([*said, "markup"])


def _repeated(blocks: Sequence["Block"]) -> set[int]:
    """Find runs of blocks that stood before: the same menu for another screen."""
    seen: set[str] = set()
    found: set[int] = set()
    run: list[int] = []
    for i, block in enumerate(blocks):
        if block.text in seen:
            run.append(i)
            continue
        found.update(run if len(run) >= _REPEATED else ())
        run = []
        seen.add(block.text)
    found.update(run if len(run) >= _REPEATED else ())
    return found


def _furniture(blocks: Sequence["Block"]) -> set[int]:
    """Find the blocks round the content; none where they are most of the page."""
    found = {i for i, block in enumerate(blocks) if block.furniture}
    total = sum(len(block.text) for block in blocks)
    content = sum(len(block.text) for i, block in enumerate(blocks) if i not in found)
    return found if content >= _LEAST_CONTENT * total else set()


def _selected(blocks: Sequence["Block"], note: str, request: Request, text: str) -> View:
    """Show the blocks that answer the question, or the content from the top, within the budget."""
    passages = [
        _passages.Passage(
            block.text, block.level, block.needs, -1.0 if block.furniture else 1.0 * (block.level > 0)
        )
        for block in blocks
    ]
    length = _passages.answer_length(request, text)
    chosen = _passages.choose(passages, request.query, length)
    chosen.add(0)
    return _view(blocks, set(range(len(blocks))) - chosen, note, "html-passages")


def _view(blocks: Sequence["Block"], hidden: Collection[int], note: str, method: str) -> View:
    """Write the shown blocks in order, a marker for each gap, and what the strip took at the end."""
    left_out = {i for i, block in enumerate(blocks) if i in hidden or _forges(block.text)}
    alone = {i for i in left_out if not left_out.intersection({i - 1, i + 1})}
    left_out -= {i for i in alone if len(blocks[i].text) <= _WORTH_A_MARKER and not _forges(blocks[i].text)}
    parts: list[str] = []
    marked, after = 1, 0
    for i in [*(i for i in range(len(blocks)) if i not in left_out), len(blocks)]:
        if i > after:
            parts.append(markers.marker(_gap(blocks[after:i])))
            marked += 1
        if i < len(blocks):
            parts.append(_spaced(blocks[i].text, parts, blocks[i].level))
        after = i + 1
    parts.append(markers.marker(f"left out: {note}"))
    shown = len(blocks) - len(left_out)
    return View("".join(parts), False, "blocks", shown, len(blocks), method, marked)


def _forges(text: str) -> bool:
    return markers.is_forged(text)


def _spaced(text: str, parts: Sequence[str], level: int) -> str:
    """Set a heading off from what stands before it."""
    return f"\n{text}\n" if level and parts and not parts[-1].startswith(markers.SIGIL) else f"{text}\n"


def _gap(blocks: Sequence["Block"]) -> str:
    """Count what a gap holds: blocks, links, and the furniture that it is."""
    links = sum(block.links for block in blocks)
    kinds = sorted({block.furniture for block in blocks})
    said = [f"{len(blocks):,} {'block' if len(blocks) == 1 else 'blocks'}"]
    if all(kinds):
        said.append(" and ".join(kinds))
    if links:
        said.append(f"{links:,} {'link' if links == 1 else 'links'}")
    return "; ".join(said)


COMPRESSOR = Compressor("html", detect, views)
