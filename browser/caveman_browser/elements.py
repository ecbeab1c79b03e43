"""An element in its page, as the writer holds it: found by its backend node, asked by `probe.js`, placed on the screen.

Owns the way from a reference to a point that input events can hit, through frames of one and of several processes.
"""

import contextlib
import itertools
import os
import time
from dataclasses import dataclass
from typing import Any

from caveman_browser import errors
from caveman_browser.link import Link
from caveman_browser.replies import quoted
from caveman_browser.targets import Tab

with open(os.path.join(os.path.dirname(__file__), "probe.js"), encoding="utf-8") as _file:
    # The comment before the function would make it no function expression.
    _PROBE = "".join(line for line in _file if not line.startswith("//"))

_PATIENCE = 3.0
"""Seconds that an element may take to become one that can be acted on."""
_AGAIN = 0.1
_GONE = (
    "No node with given id",
    "Could not find node",
    "does not belong to the document",
    "Cannot find context",
)


@dataclass(frozen=True, slots=True)
class Element:
    """A DOM element held by Chrome (``handle``: a remote object id) in a frame of one of the tab's sessions."""

    handle: str
    session: str
    frame: str


class Elements:
    """Finds and asks elements of one tab, until ``until`` on the monotonic clock."""

    def __init__(self, link: Link, tab: Tab, until: float) -> None:
        self._link = link
        self._tab = tab
        self._until = until

    def call(self, method: str, params: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        """Call in the tab's own session unless another one is named, within the time left."""
        left = max(0.1, self._until - time.monotonic())
        return self._link.call(method, params, session or self._tab.session, left)

    def find(self, backend: int, session: str, frame: str) -> Element:
        """Hold the element of a backend node. Raises `StaleReference` when it has gone."""
        world = {"frameId": frame, "worldName": "caveman"}
        try:
            context = self.call("Page.createIsolatedWorld", world, session)["executionContextId"]
            params = {"backendNodeId": backend, "executionContextId": context}
            found = self.call("DOM.resolveNode", params, session)["object"]
        except (errors.ProtocolError, errors.TargetGone) as gone:
            raise stale() from gone
        return Element(found["objectId"], session, frame)

    def ask(self, element: Element, question: str, *arguments: Any) -> Any:
        """Ask `probe.js` and give its answer as a JSON value."""
        return self._probe(element, question, arguments, by_value=True).get("value")

    def follow(self, element: Element, question: str, *arguments: Any) -> Element | None:
        """Ask `probe.js` for another element."""
        found = self._probe(element, question, arguments, by_value=False).get("objectId")
        return Element(found, element.session, element.frame) if found else None

    def point(self, element: Element, *, enabled: bool = True) -> tuple[float, float]:
        """Wait until the element can be hit; give the point in the tab's viewport.

        Raises `StaleReference`, and `NotActionable` with the reason after three seconds.
        """
        until = min(self._until, time.monotonic() + _PATIENCE)
        # Without a box there is nothing to scroll to; the answer below says why.
        with contextlib.suppress(errors.ProtocolError):
            self.call("DOM.scrollIntoViewIfNeeded", {"objectId": element.handle}, element.session)
        for place in itertools.cycle(("center", "end", "start")):
            point, why = self._try_point(element, enabled=enabled)
            if point is not None:
                return point
            if time.monotonic() >= until:
                break
            time.sleep(_AGAIN)
            if why.startswith("covered"):
                # By a bar that stays in place, perhaps: another scroll position shows the element beside it.
                self.ask(element, "scroll", place)
        raise errors.NotActionable(f"the element cannot be acted on: {why}", hint=_HINTS.get(why))

    def _try_point(self, element: Element, *, enabled: bool) -> tuple[tuple[float, float] | None, str]:
        found = self.ask(element, "ready", enabled)
        if why := found.get("why"):
            if why == "detached":
                raise stale()
            return None, why
        return self._through_frames(element, found["x"], found["y"])

    def _through_frames(self, element: Element, x: float, y: float) -> tuple[tuple[float, float] | None, str]:
        """Take a point of the element's frame to the tab's viewport; nothing may lie over it in any frame."""
        at: Element | None = element
        while at is not None:
            if cover := self.ask(at, "covered", x, y):
                return None, f"covered by {quoted(cover)}"
            at = self._owner(at)
            if at is not None:
                offset = self.ask(at, "inside")
                x, y = x + offset["x"], y + offset["y"]
        return (x, y), ""

    def _owner(self, element: Element) -> Element | None:
        """Give the frame element that holds the element's frame; None for the main frame."""
        if element.frame == self._tab.target:
            return None
        for session in self._tab.sessions():
            try:
                owner = self.call("DOM.getFrameOwner", {"frameId": element.frame}, session)["backendNodeId"]
            except errors.ProtocolError:
                continue
            return self.find(owner, session, self._parent(element.frame, session))
        raise stale()

    def _parent(self, frame: str, session: str) -> str:
        """Give the frame of ``session`` that holds ``frame``: known of its own children, else found by trying."""
        tree = self.call("Page.getFrameTree", {}, session)["frameTree"]
        stack = [tree]
        while stack:
            node = stack.pop()
            if any(child["frame"]["id"] == frame for child in node.get("childFrames", ())):
                return str(node["frame"]["id"])
            stack += node.get("childFrames", ())
        return str(tree["frame"]["id"])

    def _probe(
        self, element: Element, question: str, arguments: tuple[Any, ...], *, by_value: bool
    ) -> dict[str, Any]:
        params = {
            "functionDeclaration": _PROBE,
            "objectId": element.handle,
            "arguments": [{"value": value} for value in (question, *arguments)],
            "returnByValue": by_value,
            "awaitPromise": True,
            "userGesture": True,
        }
        try:
            answer = self.call("Runtime.callFunctionOn", params, element.session)
        except errors.ProtocolError as gone:
            raise stale() from gone
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text", "")
            first = text.partition("\n")[0] or "its script failed"
            raise errors.NotActionable(f"the element does not do that: {first}")
        result: dict[str, Any] = answer["result"]
        return result


_HINTS = {
    "disabled": "something else must be filled in or chosen first",
    "not visible": "open what it is in, or take a new view",
    "moving": "wait for the animation to end",
}


def stale() -> errors.StaleReference:
    """Make the error of an element that has gone."""
    return errors.StaleReference(
        "the element of this reference is gone",
        hint="take a new view: caveman tools browse, then use its references",
    )
