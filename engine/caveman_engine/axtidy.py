"""Each thing said once: labels by their control, content by the name that is made of it.

Owns which text of a tree repeats what stands beside it in the same branch. Changes nodes in place; knows neither
Chrome nor views.
"""

from caveman_engine.axnode import CONTROLS, INTERACTIVE, Node

_CONTAINERS = frozenset(("page", "iframe", "table", "row", "cell", "columnheader", "listitem", "list"))

# Their value says it all; what Chrome builds them of is no part of the page.
_WHOLE = frozenset(("date", "color", "file", "slider", "spinbutton"))


def tidy(node: Node) -> None:
    """Say everything below ``node`` once: labels by their control, content by the name that is made of it."""
    for child in node.children:
        if child is not None:
            tidy(child)
    _open_labels(node)
    if not node.name and (node.clicks or node.role in INTERACTIVE):
        node.name = node.text()
    if node.role in _CONTAINERS:
        if node.name and node.role not in ("page", "iframe", "table") and not node.clicks and node.text():
            node.name = ""
        if node.role == "table":
            node.children = [each for each in node.children if not _is_caption(each, node)]
    elif node.name:
        _drop_said(node)
    if node.role in _WHOLE:
        node.children = []
    if node.note and _folded(node.note) in node.text():
        node.note = ""
    _compact(node)


def _is_caption(child: Node | None, table: Node) -> bool:
    return child is not None and child.role == "text" and child.name.strip() == table.name != ""


def _open_labels(node: Node) -> None:
    """Put the content of labels in their place, without the words that are a control's name."""
    if not any(child is not None and child.role == "label" for child in node.children):
        return
    names = {_folded(below.name) for below in node.walk() if below.role in CONTROLS}
    out: list[Node | None] = []
    for child in node.children:
        if child is None or child.role != "label":
            out.append(child)
            continue
        said = _folded(child.text()) in names
        inner = [
            part
            for part in child.children
            if part is None or part.role != "text" or not (said or _folded(part.name) in names)
        ]
        out += [None, *inner, None]
    node.children = out


def _folded(text: str) -> str:
    return " ".join(text.split())


def _letters(text: str) -> str:
    """Leave white space out: blocks beside each other are joined with a space in one place and without in another."""
    return "".join(text.split())


def _drop_said(node: Node) -> None:
    """Leave out text and images below a node that its name or value already says."""
    text = _letters(node.text())
    said = _letters(node.name)
    if text and text not in said and text not in _letters(node.value):
        return
    stack = [node]
    while stack:
        each = stack.pop()
        each.children = [
            child
            for child in each.children
            if child is not None
            and child.role != "text"
            and not (child.role == "image" and not child.clicks and _letters(child.name) in said)
        ]
        stack += [child for child in each.children if child is not None]
    only = node.children[0] if len(node.children) == 1 else None
    if only is None or _letters(only.name) != said:
        return
    if node.role == "heading":
        node.name = ""
    elif node.is_interactive and only.role in ("link", "button"):
        # A tab made of a link is one thing to click.
        node.url = node.url or only.url
        node.children = only.children


def _compact(node: Node) -> None:
    """Drop text and pictures that say nothing, and boundaries that part nothing."""
    out: list[Node | None] = []
    for child in node.children:
        if child is None:
            if out and out[-1] is not None:
                out.append(None)
            continue
        if child.role == "text":
            child.name = child.name.strip()
        if child.role in ("text", "image") and not (child.name or child.url or child.states or child.clicks):
            continue
        out.append(child)
    if out and out[-1] is None:
        out.pop()
    node.children = out
