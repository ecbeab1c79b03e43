"""Open, look and wait. Everything here leaves the page as it is; what could act on it is refused at the connection.

Knows addresses, tabs and time; what a page looks like to the agent is `snapshot`'s.
"""

import base64
import os
import time
from typing import Any

from caveman_browser import errors
from caveman_browser.browser import Browser
from caveman_browser.link import Link
from caveman_browser.policy import Policy
from caveman_browser.settle import remember, settle
from caveman_browser.snapshot import Capture, capture
from caveman_browser.targets import Tab

_ALIVE = 2.0
"""Seconds in which a page that is alive answers."""
_ABORTED = "net::ERR_ABORTED"
_GRACE = 5.0
"""Seconds beyond a command's time limit for looking at what came."""
_READS = frozenset(
    {
        "Accessibility.enable",
        "Accessibility.disable",
        "Accessibility.getFullAXTree",
        "Accessibility.getPartialAXTree",
        "Accessibility.queryAXTree",
        "DOM.describeNode",
        "DOM.enable",
        "DOM.disable",
        "DOM.getDocument",
        "DOM.getFlattenedDocument",
        "DOM.getFrameOwner",
        "DOM.performSearch",
        "DOMSnapshot.captureSnapshot",
        "DOMSnapshot.disable",
        "DOMSnapshot.enable",
        "Page.captureScreenshot",
        "Page.getFrameTree",
        "Page.getLayoutMetrics",
        "Page.getNavigationHistory",
        "Page.navigate",
        "Page.navigateToHistoryEntry",
        "Performance.getMetrics",
    }
)


class ReadCall:
    """The reader's connection: calls of an allow-list, and addresses that the policy lets pass.

    A call waits until ``until`` on the monotonic clock unless it says otherwise.
    """

    def __init__(self, link: Link, policy: Policy, until: float) -> None:
        self._link = link
        self._policy = policy
        self._until = until

    def __call__(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        session: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Call as `Link.call`; raises `ReadOnlyConnection` or `UrlRefused` before anything is sent."""
        if method not in _READS:
            raise errors.ReadOnlyConnection(f"the reader may not call {method}")
        if method == "Page.navigate":
            self._policy.check((params or {})["url"])
        return self._link.call(method, params, session, _left(self._until) if timeout is None else timeout)


class Reader:
    """Reading verbs over one browser, for one command that waits for pages until ``until`` (monotonic clock)."""

    def __init__(self, browser: Browser, until: float) -> None:
        self._browser = browser
        self._until = until
        self._call = ReadCall(browser.link, browser.policy, until + _GRACE)

    def open(self, url: str, *, new: bool = False) -> bool:
        """Open an address in the current tab or a new one, and wait for rest; tell whether it came.

        Raises `UrlRefused`, `NavigationFailed`, `PageCrashed`, `DeadlineExceeded`.
        """
        address = self._browser.policy.check(url)
        tab = self._tab_for_opening(new=new)
        try:
            answer = self._call("Page.navigate", {"url": address}, tab.session, _left(self._until))
        except errors.DeadlineExceeded as late:
            hint = "try again with a longer --timeout"
            raise errors.DeadlineExceeded(f"{address} did not answer in time", hint=hint) from late
        if reason := answer.get("errorText"):
            self._failed(tab, address, reason)
        if loader := answer.get("loaderId"):
            self._browser.link.wait_for(
                lambda: tab.loader == loader or tab.crashed, min(5, _left(self._until))
            )
        return self.settle(tab)

    def step(self, by: int) -> bool:
        """Go back (-1) or forward (1) in the current tab's history."""
        tab = self._browser.current()
        history = self._call("Page.getNavigationHistory", None, tab.session)
        index = history["currentIndex"] + by
        if not 0 <= index < len(history["entries"]):
            raise errors.NoPage("there is no page in that direction")
        entry = history["entries"][index]
        self._browser.policy.check(entry["url"])
        before = (tab.loader, tab.url)
        self._call("Page.navigateToHistoryEntry", {"entryId": entry["id"]}, tab.session)
        self._browser.link.wait_for(lambda: (tab.loader, tab.url) != before, _left(self._until))
        return self.settle(tab)

    def settle(self, tab: Tab) -> bool:
        """Wait for rest; raises `PageCrashed`."""
        settled = settle(self._call, tab, self._until)
        if tab.crashed:
            raise errors.PageCrashed("the page crashed", hint="open it again; the next call works")
        for blocked in tab.blocked:
            if blocked.late:
                raise errors.UrlRefused(f"{blocked.url} is not shown: {blocked.reason}")
        return settled

    def look(self, tab: Tab, text: str | None = None) -> Capture:
        """Capture what is on the page, once ``text`` stands there. Raises `WaitNotMet` when it does not come."""
        while True:
            found = capture(self._call, dict(tab.frames))
            remember(self._call, tab)
            # Chrome tells of a title late.
            tab.url, tab.title = found.url, found.title
            if text is None or _contains(found, text):
                return found
            if time.monotonic() >= self._until:
                raise errors.WaitNotMet(
                    f"{text!r} did not come", where=tab.url, hint="a longer --timeout may help"
                )
            time.sleep(0.1)

    def learn_title(self, tab: Tab) -> None:
        """Bring the tab's title up to date without a look: Chrome tells of a change late."""
        history = self._call("Page.getNavigationHistory", None, tab.session)
        tab.title = str(history["entries"][history["currentIndex"]]["title"])

    def screenshot(self, tab: Tab, path: str, *, full: bool = False) -> int:
        """Write a PNG of the visible part, or of the whole page, into a file; give its size in bytes."""
        params = {"format": "png", "captureBeyondViewport": full}
        if full:
            size = self._call("Page.getLayoutMetrics", None, tab.session)["cssContentSize"]
            # Chrome's textures end at 16,384 pixels.
            params["clip"] = {
                "x": 0,
                "y": 0,
                "width": size["width"],
                "height": min(size["height"], 16_384),
                "scale": 1,
            }
        data = base64.b64decode(self._call("Page.captureScreenshot", params, tab.session)["data"])
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            return file.write(data)

    def _tab_for_opening(self, *, new: bool) -> Tab:
        """Give the current tab when it can be used, else a new one."""
        chosen = self._browser.chosen
        tab = self._browser.targets.tabs.get(chosen) if chosen else None
        if tab is not None and (tab.crashed or (tab.suspect and self._hangs(tab))):
            self._browser.drop_tab(tab)
            tab = None
        return self._browser.open_tab(_left(self._until)) if new or tab is None else tab

    def _hangs(self, tab: Tab) -> bool:
        """Tell whether a page that met a deadline still does not answer."""
        try:
            self._call("Page.getFrameTree", None, tab.session, _ALIVE)
        except errors.DeadlineExceeded:
            return True
        tab.suspect = False
        return False

    def _failed(self, tab: Tab, address: str, reason: str) -> None:
        for blocked in tab.blocked:
            if blocked.page:
                raise errors.UrlRefused(f"{address} led to {blocked.url}: {blocked.reason}")
        # Chrome tells of a download a moment after the navigation that became one.
        if reason == _ABORTED and self._browser.link.wait_for(
            lambda: bool(self._browser.targets.downloads), 0.5
        ):
            raise errors.NavigationFailed(f"{address} is a download; it was not kept")
        if reason == _ABORTED:
            raise errors.NavigationFailed(f"{address} opened no page ({reason})")
        raise errors.NavigationFailed(f"{address} did not load: {reason}")


def _left(until: float) -> float:
    return max(0.1, until - time.monotonic())


def _contains(found: Capture, text: str) -> bool:
    """Tell whether a text stands on the page: in one element, or run together from several."""
    wanted = " ".join(text.split())
    root = found.tree.root
    return wanted in " ".join(root.text().split()) or any(wanted in node.name for node in root.walk())
