"""Accessibility trees as Chrome gives them, read into the few nodes that a reader needs.

Owns what a node is called, which text is said twice, and which characters of a page are not shown. Knows no
view: no lines, references, budgets or queries. The input is either what ``Accessibility.getFullAXTree`` answers
(an object with ``nodes``, or the bare list) or a capture of several frames::

    {"url": ..., "title": ..., "frames": [{"id", "url", "parent", "owner", "nodes", "look"}, ...]}

``owner`` is the backend node id of the frame's element in the frame ``parent`` (None for the page itself);
``look`` is what layout and style say beyond the tree: ``hidden``, ``clickable``, ``files`` and ``first`` (lists of
backend node ids), ``current`` (id -> value), ``hints`` (id -> what the page's code calls an element without a
name), ``controls`` (id of a label -> the invisible input that it stands for) and ``pictures`` (how many canvases).
"""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from caveman_engine import axtidy
from caveman_engine.axnode import CONTROLS, Node

# From this depth on children hang on the same parent: no page may exhaust the stack.
DEEPEST = 40
# Chrome's internal names, and roles whose difference does not matter to a reader.
_ROLES = {
    "StaticText": "text",
    "RootWebArea": "page",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "LabelText": "label",
    "LayoutTable": "table",
    "LayoutTableRow": "row",
    "LayoutTableCell": "cell",
    "gridcell": "cell",
    "rowheader": "cell",
    "grid": "table",
    "treegrid": "table",
    "SvgRoot": "image",
    "img": "image",
    "DisclosureTriangle": "summary",
    "DisclosureTriangleGrouped": "summary",
    "Date": "date",
    "DateTime": "date",
    "InputTime": "date",
    "ColorWell": "color",
    "Canvas": "canvas",
    "Video": "video",
    "Audio": "audio",
    "PopUpButton": "combobox",
    "ToggleButton": "button",
    "sectionheader": "header",
    "sectionfooter": "footer",
}
# Without a name of their own they say nothing: their content stands in the parent, as a block of its own.
_BLOCKS = frozenset(
    "generic paragraph group list DescriptionList rowgroup section figure article blockquote note region form "
    "definition caption Figcaption Pre Details Legend LayoutTable document".split(),
)
_INLINE = frozenset(
    "strong emphasis code mark superscript subscript insertion deletion time Abbr abbr Ruby RubyAnnotation "
    "suggestion MenuListPopup".split(),
)
# Text, and what is shown in another way or not at all.
_LEAVES = frozenset(
    ("StaticText", "LineBreak", "InlineTextBox", "ListMarker", "column", "LayoutTableColumn", "separator"),
)
# Zero-width, bidirectional, tag and filler characters: a person cannot see them, a model reads them.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]",
)
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Tree:
    """A page: its nodes, and how much was left out because nobody can see it."""

    root: Node
    hidden: int = 0
    stripped: int = 0
    pictures: int = 0

    def clean(self, text: str) -> str:
        """Take out, and count, the characters that nobody can see; half surrogates become U+FFFD."""
        if text.isascii():
            return text
        text, found = _INVISIBLE.subn("", text)
        self.stripped += found
        return _SURROGATE.sub("\ufffd", text)


def read(document: Any) -> Tree | None:
    """Read a parsed capture; None when it is no accessibility tree."""
    frames = _frames(document)
    if frames is None:
        return None
    tree = Tree(Node("page"))
    above = str(document.get("url") or "") if isinstance(document, dict) else ""
    readers = [_Frame(frame, tree, above) for frame in frames]
    holders: dict[tuple[str, int], Node] = {}
    for frame, reader in zip(frames, readers, strict=True):
        root = reader.read()
        holder = holders.get((str(frame.get("parent") or ""), frame.get("owner") or 0))
        if reader is readers[0]:
            tree.root = root
        elif holder is not None:
            holder.children = root.children
            holder.name = holder.name or root.name
            holder.url = "" if root.url.startswith("about:") else root.url
        holders.update(((reader.id, node.backend), node) for node in reader.holders)
    axtidy.tidy(tree.root)
    return tree


def _frames(document: Any) -> list[dict[str, Any]] | None:
    if isinstance(document, list):
        document = {"nodes": document}
    if not isinstance(document, dict):
        return None
    frames = document.get("frames", [document])
    sound = isinstance(frames, list) and bool(frames) and all(_is_tree(frame) for frame in frames)
    return frames if sound else None


def _is_tree(frame: Any) -> bool:
    nodes = frame.get("nodes") if isinstance(frame, dict) else None
    return (
        isinstance(nodes, list)
        and bool(nodes)
        and all(
            isinstance(raw, dict) and isinstance(raw.get("role"), dict) and "nodeId" in raw for raw in nodes
        )
    )


class _Frame:
    """One frame on its way into a tree."""

    def __init__(self, frame: dict[str, Any], tree: Tree, above: str) -> None:
        look = frame.get("look") or {}
        self.id = str(frame.get("id") or "")
        self.raws: dict[Any, dict[str, Any]] = {raw["nodeId"]: raw for raw in frame["nodes"]}
        self.tree = tree
        self.holders: list[Node] = []
        self.hidden = set(look.get("hidden", ()))
        self.clickable = set(look.get("clickable", ()))
        self.first = set(look.get("first", ()))
        self.files = set(look.get("files", ()))
        self.current = look.get("current", {})
        self.hints = look.get("hints", {})
        present = {raw.get("backendDOMNodeId") for raw in frame["nodes"] if not raw.get("ignored")}
        controls = look.get("controls", {})
        self.controls = {key: each for key, each in controls.items() if each["backend"] not in present}
        self.url = str(frame.get("url") or _properties(frame["nodes"][0]).get("url") or "")
        # A document without an address of its own has its parent's origin.
        self.origin = _origin(self.url if not self.url.startswith("about:") else above)
        tree.pictures += look.get("pictures", 0)

    def read(self) -> Node:
        """Give the frame's page node with all that is shown below it."""
        top = next((raw for raw in self.raws.values() if raw.get("parentId") not in self.raws), None)
        if top is None:  # nothing but circles
            return Node("page")
        root = self._node(top, "page")
        root.url = self.url
        front: list[Node | None] = []
        seen = {top["nodeId"]}
        stack: list[tuple[dict[str, Any] | None, Node, int]] = [(top, root, 0)]
        while stack:
            raw, parent, depth = stack.pop()
            if raw is None:  # the end of a block
                parent.children.append(None)
                continue
            node: Node | None = root
            if raw is not top:
                node = self._place(raw, parent, front)
            if node is None:
                continue
            if node is parent and raw is not top and _is_block(raw):
                parent.children.append(None)
                stack.append((None, parent, depth))
            holder = node if depth < DEEPEST else parent
            deeper = depth + (node is not parent)
            for key in reversed(raw.get("childIds") or ()):
                if key in self.raws and key not in seen:
                    seen.add(key)
                    stack.append((self.raws[key], holder, deeper))
        root.children[:0] = front
        return root

    def _place(self, raw: dict[str, Any], parent: Node, front: list[Node | None]) -> Node | None:
        """Give the node that takes the children of ``raw``: its own, the parent, or None to leave all out."""
        role = str(raw["role"].get("value"))
        backend = raw.get("backendDOMNodeId") or 0
        hidden = backend in self.hidden
        if role in _LEAVES or (role == "option" and parent.role == "combobox"):
            self._leaf(raw, role, parent, hidden=hidden)
            return None
        node = self._special(backend, raw, role)
        if node is None:
            if raw.get("ignored") or role in _INLINE or (role in _BLOCKS and not _value(raw, "name").strip()):
                return parent
            node = self._node(raw, _ROLES.get(role, role))
        if hidden and node.role in CONTROLS:
            node.states.append("hidden")
        elif hidden:
            if not node.name and not node.clicks:
                return parent
            self.tree.hidden += 1
            return None if node.is_interactive or node.role == "image" else parent
        if node.role == "iframe":
            self.holders.append(node)
        (front if backend in self.first else parent.children).append(node)
        return node

    def _leaf(self, raw: dict[str, Any], role: str, parent: Node, *, hidden: bool) -> None:
        """Add a text, a line break or the choice of a select to what holds it."""
        text = _value(raw, "name")
        if role == "LineBreak":
            parent.children.append(None)
        elif role == "option":
            parent.options.append(self.tree.clean(text))
        elif role != "StaticText":
            return
        elif hidden:
            self.tree.hidden += bool(text.strip())
        elif parent.children and (last := parent.children[-1]) is not None and last.role == "text":
            last.name += self.tree.clean(text)
        else:
            backend = raw.get("backendDOMNodeId") or 0
            parent.children.append(Node("text", self.tree.clean(text), frame=self.id, backend=backend))

    def _special(self, backend: int, raw: dict[str, Any], role: str) -> Node | None:
        """Give the node of an element that is more than its role says: by script, style or a hidden input."""
        if control := self.controls.get(str(backend)):
            node = self._node(raw, control["role"])
            node.backend = control["backend"]
            node.states = list(control["states"])
            return node
        plain = raw.get("ignored") or role in _INLINE or role in _BLOCKS
        if backend in self.clickable:
            node = self._node(raw, "clickable" if plain or role == "image" else _ROLES.get(role, role))
            node.clicks = True
            return node
        if backend in self.first and plain:
            return self._node(raw, "popup")
        return None

    def _node(self, raw: dict[str, Any], role: str) -> Node:
        """Read name, value, states and URL of one element."""
        role = "file" if raw.get("backendDOMNodeId") in self.files else role
        properties = _properties(raw)
        clean = self.tree.clean
        backend = raw.get("backendDOMNodeId") or 0
        name = clean(_value(raw, "name"))
        node = Node(role, name if name.strip() else "", frame=self.id, backend=backend)
        if role in CONTROLS or role in ("progressbar", "meter", "scrollbar"):
            node.value = clean(_value(raw, "value"))
        if "description" in raw:
            node.note = clean(_value(raw, "description"))
        if properties:
            node.states = _states(properties, role)
        if str(backend) in self.current:
            node.states.append("current")
        if not node.name and (hint := self.hints.get(str(backend))):
            node.states.append(hint)
        if url := properties.get("url"):
            node.url = self._short(str(url))
        return node

    def _short(self, url: str) -> str:
        """Give a URL without what it shares with the page: its origin, or all before the fragment."""
        if url.startswith("data:"):
            return "data:"
        page = self.url.partition("#")[0]
        if self.origin and url.startswith(page + "#"):
            return url[len(page) :]
        if self.origin and url.startswith(self.origin + "/"):
            return url[len(self.origin) :]
        return url


def _is_block(raw: dict[str, Any]) -> bool:
    return not raw.get("ignored") and str(raw["role"].get("value")) in _BLOCKS


def _value(raw: dict[str, Any], key: str) -> str:
    found = raw.get(key)
    value = found.get("value") if isinstance(found, dict) else None
    return "" if value is None else str(value)


def _properties(raw: dict[str, Any]) -> dict[str, Any]:
    found = raw.get("properties")
    if not found:
        return {}
    return {each["name"]: (each.get("value") or {}).get("value") for each in found if "name" in each}


def _origin(url: str) -> str:
    """Give scheme and host of a web address; other schemes have no origin to share."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


def _states(properties: dict[str, Any], role: str) -> list[str]:
    """Give the states that differ from what a reader assumes."""
    out = [
        name
        for name in ("disabled", "focused", "required", "readonly", "busy", "modal")
        if properties.get(name) is True and role != "page"
    ]
    for name in ("checked", "pressed"):
        value = properties.get(name)
        out += {"true": [name], True: [name], "mixed": ["mixed"]}.get(value, [])
    if properties.get("selected") is True:
        out.append("selected")
    if properties.get("invalid") not in (None, "false", False):
        out.append("invalid")
    if (expanded := properties.get("expanded")) is not None and (expanded or role != "combobox"):
        out.append("expanded" if expanded else "collapsed")
    level = properties.get("level")
    if role == "heading" and level and level != 1:
        out.append(f"level {level}")
    return out
