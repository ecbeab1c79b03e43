"""References: short names for elements that stay with their element, and with nothing else.

A reference is bound to page, frame, document (loader) and backend node, and to the role and name under which it
was last shown. The same node keeps it over snapshots; numbers are never used again, so a reference of a page that
is gone cannot come to mean something new. Pure bookkeeping: knows no Chrome.
"""

from collections.abc import Callable
from dataclasses import dataclass

from caveman_browser import errors
from caveman_browser.snapshot import Capture
from caveman_engine.axnode import Node

_AGAIN = "take a new view of the page (browse without an address) and use the reference it gives"


@dataclass(slots=True)
class Ref:
    """One element that was shown. ``page`` is the target's id; ``role`` and ``name`` are as last shown."""

    ref: str
    page: str
    frame: str
    loader: str
    backend: int
    role: str
    name: str


@dataclass(frozen=True, slots=True)
class Element:
    """A reference that holds now: where its node lives, and the node as the page has it."""

    ref: str
    session: str
    frame: str
    backend: int
    node: Node


class RefMap:
    """All references given out in one browser."""

    def __init__(self) -> None:
        self._by_place: dict[tuple[str, str, int], Ref] = {}
        self._by_ref: dict[str, Ref] = {}

    def assigner(self, capture: Capture) -> Callable[[Node], str]:
        """Give the function that names the elements of a capture as they are shown."""
        return lambda node: self.assign(capture, node).ref

    def assign(self, capture: Capture, node: Node) -> Ref:
        """Give the reference of an element that is being shown; it now means the element as shown."""
        place = (node.frame, capture.frames[node.frame].loader, node.backend)
        ref = self._by_place.get(place)
        if ref is None:
            ref = Ref(f"e{len(self._by_ref) + 1}", capture.page, *place, node.role, node.name)
            self._by_place[place] = self._by_ref[ref.ref] = ref
        ref.role, ref.name = node.role, node.name
        return ref

    def known(self, ref: str) -> Ref:
        """Give what a reference was bound to, whether or not that is still there. Raises `UnknownReference`."""
        found = self._by_ref.get(ref.strip().strip("[]"))
        if found is None:
            raise errors.UnknownReference(f"no element was ever shown as {ref}", hint=_AGAIN)
        return found

    def resolve(self, ref: str, capture: Capture) -> Element:
        """Find the element of a reference in the page as it is now.

        Raises `UnknownReference`, and `StaleReference` when its document or node is gone or its role or name is
        another: never another element.
        """
        known = self.known(ref)
        what = f'{known.ref} ({known.role} "{known.name[:60]}")'
        frame = capture.frames.get(known.frame)
        if frame is None or frame.loader != known.loader:
            raise errors.StaleReference(
                f"the page or frame of {what} is gone", where=capture.url, hint=_AGAIN
            )
        node = capture.elements.get((known.frame, known.backend))
        if node is None:
            raise errors.StaleReference(f"{what} is no longer on the page", where=capture.url, hint=_AGAIN)
        if (node.role, node.name) != (known.role, known.name):
            now = f'{node.role} "{node.name[:60]}"'
            raise errors.StaleReference(f"{what} is now {now}", where=capture.url, hint=_AGAIN)
        return Element(known.ref, frame.session, known.frame, known.backend, node)
