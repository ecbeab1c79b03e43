"""Real input into a page: click, type, choose, upload, evaluate. Reached only through a grant.

Owns what each verb does to one element. Knows neither grants nor views: `session` asks for the one before and shows
the other after.
"""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from caveman_browser import errors, keys
from caveman_browser.browser import Browser
from caveman_browser.elements import Element, Elements
from caveman_browser.targets import Tab

_LONG = 300
"""Characters from which text is put in at once instead of key by key."""
EVAL = 10.0
"""Seconds that an expression may take."""


class Writer:
    """Writing verbs on elements of one tab. Made for one action; ``until`` is on the monotonic clock."""

    def __init__(self, browser: Browser, tab: Tab, until: float) -> None:
        self._tab = tab
        self._until = until
        self._elements = Elements(browser.link, tab, until)

    def act(
        self, verb: str, backend: int, session: str, frame: str, text: str | None, *, append: bool = False
    ) -> str | None:
        """Do one verb of `grants.ACTIONS`; give a word on the outcome where there is one to give.

        Raises `NotActionable`, `StaleReference`, `BadRequest`, `FileNotUsable`.
        """
        path = _file(text) if verb == "upload" else ""
        found = self._elements.find(backend, session, frame)
        element = self._elements.follow(found, "target") or found
        if verb == "type":
            return self._type(element, _needed(verb, text), append=append)
        if verb == "upload":
            return self._upload(found, path)
        return self._VERBS[verb](self, element, text)

    def _click(self, element: Element, _: str | None) -> None:
        x, y = self._elements.point(element)
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        try:
            self._mouse("mouseReleased", x, y, button="left", clickCount=1)
        except errors.TargetGone:
            # The click closed its own page.
            return

    def _hover(self, element: Element, _: str | None) -> None:
        x, y = self._elements.point(element, enabled=False)
        self._mouse("mouseMoved", x, y)

    def _dialog(self, element: Element, text: str | None) -> None:
        """Click, and accept the question that this opens."""
        self._tab.answer = (True, text or "")
        try:
            self._click(element, None)
        finally:
            self._tab.answer = (False, "")

    def _press(self, element: Element, text: str | None) -> None:
        events = keys.press(_needed("press", text))
        self._elements.call("DOM.focus", {"objectId": element.handle}, element.session)
        self._keys(events)

    def _clear(self, element: Element, _: str | None) -> str | None:
        return self._type(element, "", append=False)

    def _type(self, element: Element, text: str, *, append: bool) -> str | None:
        field = self._elements.ask(element, "field")
        if field["readonly"]:
            raise errors.NotActionable("the field is read-only")
        self._elements.point(element)
        if field["picked"]:
            if not self._elements.ask(element, "fill", text):
                raise errors.NotActionable(
                    f"a {field['type']} field does not take that value", hint=_FORMS.get(field["type"])
                )
            return None
        if not field["text"]:
            raise errors.NotActionable(
                "nothing can be typed into this element", hint="click it, or choose a text field"
            )
        if not field["multiline"] and ("\n" in text or "\r" in text):
            raise errors.BadRequest(
                "a one-line field takes no line break", hint="type the text, then press Enter"
            )
        self._elements.ask(element, "caret", not append)
        if not text and not append and not field["empty"]:
            self._keys(keys.press("Delete"))
        self._put(text)
        return None

    def _put(self, text: str) -> None:
        """Type key by key, as frameworks expect it; long text and line breaks at once, as a paste would."""
        if len(text) > _LONG or "\n" in text or "\r" in text:
            self._elements.call("Input.insertText", {"text": text})
            return
        for character in text:
            if character.isascii() and character.isprintable():
                self._keys(keys.typed(character))
            else:
                self._elements.call("Input.insertText", {"text": character})

    def _select(self, element: Element, text: str | None) -> str:
        wanted = _needed("select", text)
        self._elements.point(element)
        if self._elements.ask(element, "kind") == "select":
            answer = self._elements.ask(element, "choose", wanted)
            if answer.get("disabled"):
                raise errors.NotActionable("that option is disabled")
            if "chosen" not in answer:
                raise errors.NotActionable(
                    "there is no such option", hint="options: " + ", ".join(answer["options"])
                )
            return f"chosen: {answer['chosen']}"
        option = self._elements.follow(element, "option", wanted)
        if option is None:
            self._click(element, None)
            option = self._appearing(element, wanted)
        self._click(option, None)
        return f"chosen: {wanted}"

    def _appearing(self, element: Element, wanted: str) -> Element:
        """Wait a moment for the option of a list that a click has opened."""
        until = min(self._until, time.monotonic() + 2)
        while time.monotonic() < until:
            if (option := self._elements.follow(element, "option", wanted)) is not None:
                return option
            time.sleep(0.05)
        raise errors.NotActionable("there is no such option", hint="take a new view to see the open list")

    def _check(self, element: Element, _: str | None) -> str:
        return self._set_checked(element, on=True)

    def _uncheck(self, element: Element, _: str | None) -> str:
        return self._set_checked(element, on=False)

    def _set_checked(self, element: Element, *, on: bool) -> str:
        word = "checked" if on else "unchecked"
        if self._elements.ask(element, "checked") is on:
            return f"was {word} already"
        self._click(element, None)
        if self._elements.ask(element, "checked") is not on:
            raise errors.NotActionable(f"the click did not leave it {word}")
        return word

    def _upload(self, element: Element, path: str) -> str:
        field = self._elements.follow(element, "file")
        if field is None:
            raise errors.NotActionable(
                "this is no file field", hint="use the reference of the file field or its label"
            )
        params = {"files": [path], "objectId": field.handle}
        self._elements.call("DOM.setFileInputFiles", params, field.session)
        return f"uploaded: {os.path.basename(path)}"

    def evaluate(self, expression: str) -> Any:
        """Evaluate in the page's own world and wait for a promise; give the JSON value.

        Raises `ScriptError` with the exception's text and line.
        """
        params = {
            "expression": expression,
            "awaitPromise": True,
            "returnByValue": True,
            "userGesture": True,
        }
        answer = self._elements.call("Runtime.evaluate", params)
        if "exceptionDetails" in answer:
            raise _script_error(answer["exceptionDetails"])
        result = answer["result"]
        return result.get("value", result.get("unserializableValue") or result.get("description"))

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self._elements.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def _keys(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            self._elements.call("Input.dispatchKeyEvent", event)

    _VERBS: ClassVar[Mapping[str, Callable[["Writer", Element, str | None], str | None]]] = {
        "click": _click,
        "clear": _clear,
        "press": _press,
        "select": _select,
        "check": _check,
        "uncheck": _uncheck,
        "hover": _hover,
        "dialog": _dialog,
    }


_FORMS = {
    "date": "write it as 2026-03-01",
    "time": "write it as 09:30",
    "datetime-local": "write it as 2026-03-01T09:30",
    "month": "write it as 2026-03",
    "week": "write it as 2026-W09",
    "color": "write it as #ff8800",
}


def _needed(verb: str, text: str | None) -> str:
    if text is None:
        raise errors.BadRequest(f"{verb} needs a text", hint=f"caveman tools browse act REF {verb} TEXT")
    return text


def _file(text: str | None) -> str:
    """Give the absolute path of a file that can be read, looked at before the page is touched."""
    path = os.path.abspath(os.path.expanduser(_needed("upload", text)))
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise errors.FileNotUsable(f"there is no file to read at {path}")
    return path


def _script_error(details: Mapping[str, Any]) -> errors.ScriptError:
    thrown = details.get("exception", {})
    text = thrown.get("description") or str(thrown.get("value", details.get("text", "")))
    line = details.get("lineNumber")
    return errors.ScriptError(
        text.splitlines()[0] if text else "the expression threw",
        where=None if line is None else f"line {line + 1}",
    )
