"""What layout and style say that the accessibility tree does not: the hidden-text pass.

Owns the reading of one ``DOMSnapshot.captureSnapshot`` answer: which text no person can see, which boxes react to
clicks without having a role, which inputs hide behind their labels, which layers lie on top, which fields hold
secrets. Pure: it calls nothing and knows neither Chrome nor the view. Ids are backend node ids throughout.
"""

from collections import Counter
from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple

from caveman_browser import fields
from caveman_browser.geometry import FAR, Box, Window, area, meet
from caveman_browser.look import Look
from caveman_browser.styles import STYLES, Style, contrast, over, parse

# Text is there for a reader above these: product of opacities, pixels of type, contrast to its background.
FAINT, TINY, SAME_COLOUR = 0.05, 2.0, 1.1
# A box that reacts to clicks and holds more text than this is a part of the page, not a button.
MOST_CLICKABLE_TEXT = 300
# Boxes held against texts in their ground's colour; a page that needs more hides them.
MOST_COMPARED = 500_000
# The most buttons in such a box that is still a thing to click.
ITEM_BUTTONS = 3
# The height up to which a bar along the upper edge is the page's head.
HEAD = 150
# The sides of what may be an icon, in pixels.
ICON = (8, 100)
# A frame of no size still has its borders.
FRAME_BORDERS = 5

_NATIVE = frozenset(
    "A BUTTON INPUT SELECT TEXTAREA OPTION SUMMARY LABEL VIDEO AUDIO IFRAME FRAME OBJECT EMBED".split()
)
_NEVER_CLICKABLE = _NATIVE | frozenset(("HTML", "BODY", "#document", "svg"))
_ROLES = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option textbox searchbox combobox "
    "slider spinbutton treeitem".split(),
)
_PICTURES = frozenset("IMG VIDEO CANVAS SVG IFRAME OBJECT EMBED PICTURE".split())
_BEHIND_LABEL = {"checkbox": "checkbox", "radio": "radio", "file": "file"}
_TEXT = 3  # Node.TEXT_NODE


def looks(snapshot: Mapping[str, Any]) -> dict[str, Look]:
    """Read a snapshot taken with `styles.STYLES`; the findings by frame id."""
    strings = snapshot["strings"]
    documents = snapshot["documents"]
    ids = [strings[document["frameId"]] for document in documents]
    return {
        frame: _Document(document, strings, ids).look()
        for frame, document in zip(ids, documents, strict=True)
    }


class _State(NamedTuple):
    """What a node hands down to its children. ``ground`` None: a picture lies behind, any colour may show.

    ``flow`` is the window of its children in the flow, ``anchored`` that of its absolutely positioned ones.
    """

    opacity: float = 1.0
    gone: bool = False
    size: float = 16.0
    colour: tuple[float, ...] | None = (0, 0, 0, 1)
    ground: tuple[float, ...] | None = (255, 255, 255)
    flow: Window = Window()
    anchored: Window = Window()
    pointer: bool = False
    acts: bool = False
    layer: bool = False


class _Document:
    """One document on its way to a `Look`. Indices are the snapshot's node indices, parents before children."""

    def __init__(self, document: Mapping[str, Any], strings: list[str], frames: list[str]) -> None:
        nodes, layout = document["nodes"], document["layout"]
        self.strings = strings
        self.frames = frames
        self.scroll = float(document.get("scrollOffsetY") or 0)
        self.parents: list[int] = nodes["parentIndex"]
        self.types: list[int] = nodes["nodeType"]
        self.names = [strings[at] if at >= 0 else "" for at in nodes["nodeName"]]
        self.ids: list[int] = nodes["backendNodeId"]
        self.flat: list[list[int]] = nodes["attributes"]
        content = nodes.get("contentDocumentIndex") or {"index": [], "value": []}
        self.content: dict[int, int] = dict(zip(content["index"], content["value"], strict=True))
        self.checked = set((nodes.get("inputChecked") or {}).get("index", ()))
        self.listening = set((nodes.get("isClickable") or {}).get("index", ()))
        self.boxes: dict[int, Box] = {}
        self.styles: dict[int, list[int]] = {}
        scrolled = layout.get("scrollRects")
        self.scrolled = dict(zip(layout["nodeIndex"], scrolled, strict=True)) if scrolled else {}
        for at, (x, y, w, h), style in zip(
            layout["nodeIndex"], layout["bounds"], layout["styles"], strict=True
        ):
            if at not in self.boxes:
                self.boxes[at] = (x, y, x + w, y + h)
                self.styles[at] = style
        self.parsed: dict[tuple[int, ...], Style] = {}
        self.states: list[_State] = []
        self.seen: set[int] = set()
        self.candidates: set[int] = set()
        self.inputs: dict[int, str] = {}
        self.same_colour: list[int] = []
        self.painted: list[tuple[int, Box]] = []
        self.found = Look()

    def look(self) -> Look:
        """Walk down for what is inherited, then up for what is contained."""
        for at, kind in enumerate(self.types):
            if kind == _TEXT:
                self.states.append(self._parent_state(at))
                self._text(at)
            else:
                self._element(at)
        compared = 0
        for at in self.same_colour:
            compared += len(self.painted)
            if compared > MOST_COMPARED or not self._painted_behind(at):
                self._hide(at)
        self._climb()
        self._labels()
        return self.found

    def attributes(self, at: int) -> dict[str, str]:
        """Give an element's attributes."""
        flat = self.flat[at] if at < len(self.flat) else []
        return {self.strings[flat[i]]: self.strings[flat[i + 1]] for i in range(0, len(flat) - 1, 2)}

    def _parent_state(self, at: int) -> _State:
        parent = self.parents[at]
        return self.states[parent] if 0 <= parent < at else _State()

    def _hide(self, at: int) -> None:
        self.found.hidden.add(self.ids[at])
        self.seen.discard(at)

    def _text(self, at: int) -> None:
        """Judge a text node by its box and what its element hands down."""
        box = self.boxes.get(at)
        if box is None:
            return
        self.seen.add(at)
        state = self.states[at]
        if state.gone or state.size < TINY or self._is_out_of_sight(box, state) or area(box) < 1:
            self._hide(at)
        elif (
            state.ground is not None
            and state.colour is not None
            and contrast(over(state.colour, state.ground), state.ground) < SAME_COLOUR
        ):
            self.same_colour.append(at)

    def _is_out_of_sight(self, box: Box, state: _State) -> bool:
        """Tell a box that nobody can see through its window; note where only scroll offsets can tell."""
        window = state.flow
        self.found.scrolled = self.found.scrolled or window.may_be_scrolled_to(box)
        return window.hides(box)

    def _element(self, at: int) -> None:
        above = self._parent_state(at)
        box = self.boxes.get(at)
        style = None
        if box is None or not self.styles[at]:
            self.states.append(above)
        else:
            style = self._style(at)
            self.states.append(self._inherit(at, above, style, box))
            self._box(at, above, style, box)
        name = self.names[at]
        if name in ("INPUT", "TEXTAREA", "SELECT") or (self.flat[at : at + 1] and self.flat[at]):
            self._attributes(at, name)
        if name in ("IFRAME", "FRAME"):
            self._frame(at)
        state = self.states[at]
        acts = name in _NATIVE or state.acts
        reacts = at in self.listening or (style is not None and style.pointer and not above.pointer)
        if box is not None and reacts and not acts and name not in _NEVER_CLICKABLE:
            self.candidates.add(at)
        if acts and not state.acts:
            self.states[at] = state._replace(acts=True)

    def _style(self, at: int) -> Style:
        key = tuple(self.styles[at])
        style = self.parsed.get(key)
        if style is None:
            texts = [self.strings[each] if each >= 0 else "" for each in key]
            style = self.parsed[key] = parse(dict(zip(STYLES, texts, strict=False)))
        return style

    def _inherit(self, at: int, above: _State, style: Style, box: Box) -> _State:
        """Give what the element hands down."""
        opacity = above.opacity * style.opacity
        ground = above.ground
        if style.picture:
            ground = None
        elif style.ground[3] > 0 and (ground is not None or style.ground[3] == 1):
            ground = over(style.ground, ground or (255, 255, 255))
        flow = self._window(at, self._outer(above, style), style, box)
        return _State(
            opacity,
            above.gone or opacity < FAINT or style.clipped_away,
            style.size,
            style.colour,
            ground,
            flow,
            flow if style.position != "static" or self.names[at] == "HTML" else above.anchored,
            style.pointer,
            above.acts,
            above.layer,
        )

    def _outer(self, above: _State, style: Style) -> Window:
        """Give the window that an element's own box is seen through."""
        if style.position == "fixed":
            return Window(right=FAR)
        return above.anchored if style.position == "absolute" else above.flow

    def _window(self, at: int, outer: Window, style: Style, box: Box) -> Window:
        """Give the window of an element's content."""
        if self.names[at] == "HTML":
            rtl = self.attributes(at).get("dir", "").lower() == "rtl"
            return Window(left=-inf if rtl else 0.0, right=box[2] + (0 if style.clips else FAR))
        if self.names[at] == "BODY":  # its overflow is the page's
            return outer._replace(right=min(outer.right, box[2])) if style.clips else outer
        if style.scrolls:
            return outer.scrolling(box, self.scrolled.get(at))
        return outer.clipped(box) if style.clips else outer

    def _box(self, at: int, above: _State, style: Style, box: Box) -> None:
        """Note what an element's own box says: unseen, painted, a layer on top, a picture."""
        state, name = self.states[at], self.names[at]
        around = state._replace(flow=self._outer(above, style))
        if state.gone or self._is_out_of_sight(box, around):
            self.found.hidden.add(self.ids[at])
        elif area(box) > 0:
            if style.picture or style.ground[3] > 0.5 or name in _PICTURES:
                # What is fixed lies behind the page wherever it is scrolled to.
                fixed = style.position == "fixed"
                self.painted.append((at, (box[0], -inf, box[2], inf) if fixed else box))
                self.seen.add(at)
            if name == "INPUT":
                self.seen.add(at)
            if name == "CANVAS":
                self.found.pictures += 1
        # A layer's content counts once: what is inside it comes with it.
        raised = style.raised and not self._is_head(box)
        dialog = name == "DIALOG" or self._role(at) in ("dialog", "alertdialog")
        if (
            (style.on_top or raised or dialog)
            and not above.layer
            and not state.gone
            and name not in ("HTML", "BODY")
        ):
            self.found.first.append(self.ids[at])
            self.states[at] = state._replace(layer=True)

    def _is_head(self, box: Box) -> bool:
        """Tell a low bar along the upper edge: a page's own head that stays in sight, not a layer over it."""
        return box[1] <= self.scroll and box[3] - box[1] <= HEAD

    def _role(self, at: int) -> str:
        return self.attributes(at).get("role", "") if self.flat[at] else ""

    def _attributes(self, at: int, name: str) -> None:
        """Note what attributes alone tell: secrets, files, what is current, who acts."""
        known = self.attributes(at)
        backend = self.ids[at]
        kind = known.get("type", "text").lower() if name == "INPUT" else ""
        if name in ("INPUT", "TEXTAREA") and fields.is_secret(known):
            self.found.secret.add(backend)
        if kind == "file":
            self.found.files.add(backend)
        if kind in _BEHIND_LABEL:
            self.inputs[at] = kind
        if (current := known.get("aria-current", "false")) not in ("", "false"):
            self.found.current[backend] = current
        if known.get("role", "") in _ROLES and not self.states[at].acts:
            self.states[at] = self.states[at]._replace(acts=True)

    def _frame(self, at: int) -> None:
        """Say whether a frame is worth a look: it has a box of some size in a place that can be seen."""
        backend = self.ids[at]
        left, top, right, bottom = self.boxes.get(at, (0.0, 0.0, 0.0, 0.0))
        visible = min(right - left, bottom - top) > FRAME_BORDERS and backend not in self.found.hidden
        self.found.frames[backend] = visible
        if not visible:
            self.found.hidden.add(backend)
        if (document := self.content.get(at)) is not None:
            self.found.owners[self.frames[document]] = backend
        if visible:
            self.seen.add(at)

    def _painted_behind(self, at: int) -> bool:
        """Tell whether something that is no ancestor may lie behind a text that has its ground's colour."""
        box = self.boxes[at]
        line = {at}
        above = self.parents[at]
        while above >= 0:
            line.add(above)
            above = self.parents[above]
        return any(area(meet(box, other)) > 0 for index, other in self.painted if index not in line)

    def _climb(self) -> None:
        """Sum up what each element contains, children first: seen text, things that act; judge it by that."""
        count = len(self.types)
        text, acts, seen = [0] * count, [0] * count, [at in self.seen for at in range(count)]
        alike = Counter(self.parents[at] for at in self.candidates)
        for at in range(count - 1, -1, -1):
            if self.types[at] != _TEXT:
                repeated = alike[self.parents[at]] > 1
                acts[at] = self._judge(at, text[at], acts[at], seen=seen[at], repeated=repeated)
            elif seen[at]:
                # The size of the box says how much text there is, near enough: the words are in the tree.
                text[at] = max(1, int(area(self.boxes[at]) / 120))
            if (parent := self.parents[at]) >= 0:
                text[parent] += text[at]
                acts[parent] += acts[at]
                seen[parent] = seen[parent] or seen[at]
        self.seen = {at for at in range(count) if seen[at]}

    def _judge(self, at: int, text: int, inner: int, *, seen: bool, repeated: bool) -> int:
        """Note what an element is, its content known; give how many things act in it, itself included."""
        candidate = at in self.candidates
        if (
            not text
            and (candidate or self.names[at] in _NATIVE)
            and (hint := fields.hint(self.attributes(at)))
        ):
            self.found.hints[self.ids[at]] = hint
        # A box with buttons in it is clicked itself when it is one of several: a message in a list.
        item = repeated and at in self.listening and text and inner <= ITEM_BUTTONS
        if candidate and (seen or self._is_icon(at)) and (not inner or item) and text <= MOST_CLICKABLE_TEXT:
            self.found.clickable.add(self.ids[at])
            # Its own box may lie out of sight while what it holds is seen.
            self.found.hidden.discard(self.ids[at])
            return inner + 1
        if not seen and self.boxes.get(at) and self._is_named(at):
            self.found.hidden.add(self.ids[at])
        return inner + (self.states[at].acts and not self._parent_state(at).acts)

    def _is_icon(self, at: int) -> bool:
        """Tell a box without words of the size of an icon: its picture may come from anywhere."""
        left, top, right, bottom = self.boxes[at]
        shown = self.ids[at] not in self.found.hidden
        return shown and ICON[0] <= right - left <= ICON[1] and ICON[0] <= bottom - top <= ICON[1]

    def _is_named(self, at: int) -> bool:
        """Tell an element of no size that only its label would bring into the view."""
        if area(self.boxes[at]) > 0 or not self.flat[at] or self.states[at].acts:
            return False
        return "aria-label" in self.attributes(at)

    def _labels(self) -> None:
        """Let a label that is seen stand for its input that is not."""
        by_id = {}
        if any(self.boxes.get(at) is None or self.ids[at] in self.found.hidden for at in self.inputs):
            by_id = {known["for"]: at for at in self._labels_of() if "for" in (known := self.attributes(at))}
        for at, kind in self.inputs.items():
            backend = self.ids[at]
            label = self._label_around(at)
            if label is None:
                label = by_id.get(self.attributes(at).get("id", ""))
            if label is None or label not in self.seen:
                continue
            self.found.hidden.discard(backend)
            states = ["checked"] if at in self.checked else []
            if "disabled" in self.attributes(at):
                states.append("disabled")
            self.found.controls[self.ids[label]] = {"role": kind, "backend": backend, "states": states}

    def _labels_of(self) -> list[int]:
        return [at for at, name in enumerate(self.names) if name == "LABEL"]

    def _label_around(self, at: int) -> int | None:
        above = self.parents[at]
        while above >= 0 and self.names[above] != "LABEL":
            above = self.parents[above]
        return above if above >= 0 else None
