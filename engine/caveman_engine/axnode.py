"""The nodes of an accessibility tree as a reader knows them. Owns the shape and what can be acted on; reads nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field

CONTROLS = frozenset(
    "textbox searchbox combobox checkbox radio switch slider spinbutton listbox date color file".split(),
)
"""Roles that hold a value which a person enters."""
INTERACTIVE = CONTROLS | frozenset(
    "button link menuitem menuitemcheckbox menuitemradio tab option treeitem summary clickable".split(),
)
"""Roles that a person acts on."""


@dataclass(slots=True)
class Node:
    """One element or text, as a reader knows it.

    ``children`` holds None where a block begins or ends between inline neighbours. ``note`` is the description,
    ``options`` the choices of a closed select, ``clicks`` says that an element of a structural role reacts to
    clicks. ``frame`` and ``backend`` name the DOM node.
    """

    role: str
    name: str = ""
    value: str = ""
    note: str = ""
    url: str = ""
    states: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    clicks: bool = False
    frame: str = ""
    backend: int = 0
    children: "list[Node | None]" = field(default_factory=list)

    @property
    def is_interactive(self) -> bool:
        """Tell an element that can be acted on."""
        return self.clicks or self.role in INTERACTIVE

    def walk(self) -> "Iterator[Node]":
        """Give the node and all below it, in the page's order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += [child for child in reversed(node.children) if child is not None]

    def text(self) -> str:
        """Give the text below the node, blocks apart by spaces, white space as one space."""
        pieces: list[str] = []
        for child in self.children:
            if child is None:
                pieces.append(" ")
            else:
                pieces.append(child.name if child.role == "text" else child.text())
        return " ".join("".join(pieces).split())
