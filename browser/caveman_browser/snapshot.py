"""One look at a page: every frame's accessibility tree and layout, as the exact bytes to keep and as nodes to show.

Owns which calls a capture takes and what of their answers is kept. The protocol comes in as ``call``; references,
views and the store are others'. Values of password and payment fields are masked here, before anything is kept.
"""

import gc
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from caveman_browser import errors, layout
from caveman_browser.look import Look
from caveman_browser.styles import STYLES
from caveman_engine import axtree
from caveman_engine.axnode import Node
from caveman_engine.axtree import Tree

# A page of more elements would take Chrome longer to describe than anybody waits.
MOST_ELEMENTS = 50_000
MASK = "••••"

_SURROGATE = re.compile("[\ud800-\udfff]")


class Call(Protocol):
    """A DevTools call: method, parameters, session; gives the result or raises one of the package's errors."""

    def __call__(
        self, method: str, params: dict[str, Any] | None = None, session: str | None = None, /
    ) -> dict[str, Any]:
        """Call and wait."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a frame's nodes live: its CDP session, and the loader that names the document in it."""

    session: str
    loader: str


@dataclass(frozen=True)
class Capture:
    """A page at one moment. ``page`` is the id of its main frame (the target's id)."""

    page: str
    url: str
    title: str
    frames: Mapping[str, Frame]
    document: Mapping[str, Any] = field(repr=False)
    tree: Tree = field(repr=False)

    @cached_property
    def data(self) -> bytes:
        """Give the bytes to be kept: JSON, valid UTF-8."""
        text = json.dumps(self.document, ensure_ascii=False, separators=(",", ":"))
        try:
            return text.encode()
        except UnicodeEncodeError:  # half a surrogate pair
            return _SURROGATE.sub("\ufffd", text).encode()

    @cached_property
    def elements(self) -> dict[tuple[str, int], Node]:
        """Give the elements that can be acted on, by frame and backend node id."""
        return {(node.frame, node.backend): node for node in self.tree.root.walk() if node.is_interactive}


def capture(call: Call, frames: Mapping[str, str]) -> Capture:
    """Look at a page whose frames' sessions are given, the main frame first.

    Raises `PageTooLarge`, and what ``call`` raises for the main frame; a frame that goes away meanwhile is left out.
    """
    main, session = next(iter(frames.items()))
    _refuse_giants(call, session)
    with _collector_paused():
        kept = _frames(call, frames, session)
        top = kept[0]
        title = str((top["nodes"][0].get("name") or {}).get("value") or "") if top["nodes"] else ""
        document = {"url": top["url"], "title": title, "frames": kept}
        tree = axtree.read(document)
    if tree is None:
        raise errors.ProtocolError("Accessibility.getFullAXTree: no tree came back")
    where = {found["id"]: Frame(found.pop("session"), found["loader"]) for found in kept}
    return Capture(main, top["url"], tree.clean(title), where, document, tree)


def _frames(call: Call, frames: Mapping[str, str], session: str) -> list[dict[str, Any]]:
    """Give every frame that a person sees, the main one first."""
    parts = [_Session(call, next(iter(frames)), session)]
    for frame, own in frames.items():
        if own != session:
            try:
                parts.append(_Session(call, frame, own))
            except (errors.TargetGone, errors.ProtocolError, errors.PageCrashed):
                continue
    return [found for part in parts for found in part.frames(parts)]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the cycle collector out: it would walk all nodes again for every few hundred that are made."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _refuse_giants(call: Call, session: str) -> None:
    """Raise `PageTooLarge` before Chrome is asked for what it cannot give in time."""
    metrics = call("Performance.getMetrics", None, session).get("metrics", ())
    nodes = next((int(each["value"]) for each in metrics if each["name"] == "Nodes"), 0)
    # That counts pages of before, too, until their memory is reclaimed; an exact count costs a second.
    if nodes <= 2 * MOST_ELEMENTS:
        return
    call("DOM.enable", None, session)
    count = call("DOM.performSearch", {"query": "//*"}, session)["resultCount"]
    call("DOM.disable", None, session)
    if count > MOST_ELEMENTS:
        raise errors.PageTooLarge(
            f"the page has {count:,} elements; the most that is read is {MOST_ELEMENTS:,}",
            hint="open a narrower page of the same site, such as a filtered or paged one",
        )


class _Session:
    """The frames that one CDP session serves: all that share the process of its top frame."""

    def __init__(self, call: Call, top: str, session: str) -> None:
        self.call = call
        self.top = top
        self.session = session
        self.found = list(_flat(call("Page.getFrameTree", None, session)["frameTree"]))
        self.looks = self._looks()
        if any(look.scrolled for look in self.looks.values()):
            # Scroll offsets come with rectangles that make the snapshot half as slow again; few pages need them.
            self.looks = self._looks(includeDOMRects=True)

    def _looks(self, **more: bool) -> dict[str, Look]:
        params = {"computedStyles": list(STYLES), **more}
        return layout.looks(self.call("DOMSnapshot.captureSnapshot", params, self.session))

    def frames(self, others: "list[_Session]") -> Iterator[dict[str, Any]]:
        """Give the frames that a person sees, each with its tree, its look and its place in the page."""
        unseen: set[str] = set()
        for info in self.found:
            frame = info["id"]
            parent, owner, visible = self._place(frame, info.get("parentId"), others)
            if not visible or parent in unseen:
                unseen.add(frame)
                continue
            nodes = self._nodes(frame)
            if nodes is None:
                continue
            look = self.looks.get(frame, Look())
            _mask(nodes, look.secret)
            yield {
                "id": frame,
                "url": info["url"] + info.get("urlFragment", ""),
                "parent": parent,
                "owner": owner,
                "loader": info["loaderId"],
                "session": self.session,
                "look": look.as_json(),
                "nodes": nodes,
            }

    def _place(
        self, frame: str, parent: str | None, others: "list[_Session]"
    ) -> tuple[str | None, int | None, bool]:
        """Give a frame's parent, the element that holds it there, and whether that can be seen."""
        if self is others[0] and frame == self.top:
            return None, None, True
        for id_, look in self.looks.items():
            if (owner := look.owners.get(frame)) is not None:
                return id_, owner, look.frames[owner]
        if frame == self.top:
            for other in others:
                if other is not self and (place := other.holder_of(frame)) is not None:
                    return place
        return parent, None, False

    def holder_of(self, frame: str) -> tuple[str, int, bool] | None:
        """Give where in this session's frames the element of another process's frame stands."""
        try:
            owner = self.call("DOM.getFrameOwner", {"frameId": frame}, self.session)["backendNodeId"]
        except errors.ProtocolError:
            return None
        for id_, look in self.looks.items():
            if owner in look.frames:
                return id_, owner, look.frames[owner]
        return None

    def _nodes(self, frame: str) -> list[dict[str, Any]] | None:
        """Ask for a frame's tree. None: the frame has gone; the top frame's errors are the caller's."""
        try:
            nodes = self.call("Accessibility.getFullAXTree", {"frameId": frame}, self.session)["nodes"]
        except errors.ProtocolError:
            if frame == self.top:
                raise
            return None
        return [_kept(raw) for raw in nodes if (raw.get("role") or {}).get("value") != "InlineTextBox"]


def _flat(tree: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the frames of a frame tree, parents first."""
    stack = [tree]
    while stack:
        here = stack.pop()
        yield here["frame"]
        stack += reversed(here.get("childFrames", ()))


def _kept(raw: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a tree says about its own making: two thirds of its bytes, nothing of the page."""
    raw.pop("chromeRole", None)
    raw.pop("ignoredReasons", None)
    for key in ("name", "description", "value"):
        if key in raw:
            raw[key].pop("sources", None)
    return raw


def _mask(nodes: list[dict[str, Any]], secret: set[int]) -> None:
    """Put the mask in place of what a secret field holds: its value and all text inside it."""
    if not secret:
        return
    by_id = {raw["nodeId"]: raw for raw in nodes}
    for field_ in [raw for raw in nodes if raw.get("backendDOMNodeId") in secret]:
        if (field_.get("value") or {}).get("value"):
            field_["value"]["value"] = MASK
        below = list(field_.get("childIds", ()))
        while below:
            raw = by_id.get(below.pop())
            if raw is None:
                continue
            below += raw.get("childIds", ())
            for key in ("name", "value"):
                if (raw.get(key) or {}).get("value"):
                    raw[key]["value"] = MASK
