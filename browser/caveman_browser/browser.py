"""One connected Chrome: its link, its targets, and the tab that commands work on.

Owns starting, attaching, losing and closing. Knows nothing of what is on a page.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from caveman_browser import chrome, errors, profiles
from caveman_browser.link import Link
from caveman_browser.policy import RESOLVER_RULES, Policy, is_loopback
from caveman_browser.targets import Tab, Targets
from caveman_browser.transport import Transport, WebSocketTransport, endpoint

ATTACH = "CAVEMAN_BROWSE_CDP"
_START = 30.0
"""Seconds that a Chrome may take to start and to answer for the first time."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How to come by a browser: whose profile, whether a person sees it, whether another machine's may be used."""

    profile: str | None = None
    headful: bool = False
    remote: bool = False


class Browser:
    """A Chrome that answers. Make one with `start`. ``made``: the targets of tabs that we opened ourselves."""

    def __init__(self, transport: Transport, policy: Policy, owned: chrome.Chrome | None) -> None:
        self.policy = policy
        self.chosen: str | None = None
        self.notes: list[str] = owned.notes if owned else []
        self._owned = owned
        self.made: set[str] = set()
        self.link = Link(transport)
        self.targets = Targets(self.link.post, policy, owned=owned is not None)
        self.link.start(self.targets.handle)

    @property
    def lost(self) -> str | None:
        """Say why the browser cannot be used any more; None while it can."""
        return self.link.lost

    @property
    def tabs(self) -> list[Tab]:
        """Give the open tabs, oldest first."""
        return list(self.targets.tabs.values())

    def connect(self, timeout: float) -> None:
        """Hear of every target from now on; new ones wait until they are looked at."""
        self.link.call("Target.setDiscoverTargets", {"discover": True}, timeout=timeout)
        params = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
        self.link.call("Target.setAutoAttach", params, timeout=timeout)
        if self._owned:
            deny = {"behavior": "deny", "eventsEnabled": True}
            self.link.call("Browser.setDownloadBehavior", deny, timeout=timeout)
            self.link.wait_for(lambda: bool(self.tabs), timeout)

    def current(self) -> Tab:
        """Give the tab that commands work on. Raises `NoPage` when none is open or the chosen one has gone."""
        if self.chosen is None:
            raise errors.NoPage("no page is open", hint="open one: caveman tools browse URL")
        return self.tab_of(self.chosen)

    def tab_of(self, target: str) -> Tab:
        """Give an open tab by its target, and work on it from now on. Raises `NoPage` when it was closed."""
        tab = self.targets.tabs.get(target)
        if tab is None:
            left = "; ".join(each.url for each in self.tabs) or "none"
            hint = "choose one with --tab, or open a page"
            raise errors.NoPage("that page was closed", where=f"pages left: {left}", hint=hint)
        self.chosen = target
        return tab

    def choose(self, number: int) -> Tab:
        """Work on the tab with this number of the list, from 1."""
        tabs = self.tabs
        if not 1 <= number <= len(tabs):
            raise errors.NoPage(
                f"there is no tab {number}", hint=f"{len(tabs)} are open: caveman tools browse tabs"
            )
        self.chosen = tabs[number - 1].target
        self.link.post("Target.activateTarget", {"targetId": self.chosen})
        return tabs[number - 1]

    def open_tab(self, timeout: float) -> Tab:
        """Open an empty tab and work on it. The first one of an owned browser is there already."""
        if self._owned and self.chosen is None and not self.made and len(self.tabs) == 1:
            target = self.tabs[0].target
        else:
            target = self.link.call("Target.createTarget", {"url": "about:blank"}, timeout=timeout)[
                "targetId"
            ]
            if not self._owned:
                self.targets.want(target)
                self.link.post("Target.attachToTarget", {"targetId": target, "flatten": True})
            if not self.link.wait_for(lambda: target in self.targets.tabs, timeout):
                raise errors.DeadlineExceeded(f"a new tab did not come up within {timeout:g} s")
        self.made.add(target)
        self.chosen = target
        tab = self.targets.tabs[target]
        # A renderer that is sent away before it took in what was switched on in it sometimes crashes (seen in
        # Chromium 156): its answer shows that it did.
        self.link.call("Performance.getMetrics", None, tab.session, timeout)
        return tab

    def drop_tab(self, tab: Tab) -> None:
        """Close a tab that hangs or crashed, without waiting for it: its renderer is ended first."""
        self.link.post("Page.crash", None, tab.session)
        self.link.post("Target.closeTarget", {"targetId": tab.target})
        if self.chosen == tab.target:
            self.chosen = None

    def interrupt(self) -> None:
        """End what keeps pages from answering: endless loading and endless scripts."""
        for tab in self.tabs:
            tab.suspect = True
            for session in tab.sessions():
                self.link.post("Page.stopLoading", None, session)
                self.link.post("Runtime.terminateExecution", None, session)

    def close(self) -> None:
        """Close an owned browser with its processes and profile; of another one, only the tabs that we made."""
        if self._owned is None:
            for target in self.made & set(self.targets.tabs):
                self._try("Target.closeTarget", {"targetId": target})
            self.link.close()
            return
        self._try("Browser.close")
        self._owned.close()
        self.link.close()

    def _try(self, method: str, params: dict[str, Any] | None = None) -> None:
        try:
            self.link.call(method, params, timeout=2)
        except errors.ChromeTrouble:
            return


def start(policy: Policy, launch: Launch) -> Browser:
    """Attach to the browser of CAVEMAN_BROWSE_CDP, or start one of our own.

    Raises `ChromeNotFound`, `ChromeFailed`, `AttachFailed`.
    """
    if address := os.environ.get(ATTACH):
        return _attach(address, policy, remote=launch.remote)
    profiles.sweep()
    process = chrome.launch(
        profiles.take(launch.profile),
        headful=launch.headful,
        extra=[f"--host-resolver-rules={resolver_rules(policy)}"],
    )
    browser = Browser(process.transport, policy, process)
    try:
        browser.connect(_START)
    except errors.ChromeTrouble as trouble:
        browser.close()
        raise errors.ChromeFailed(
            f"Chrome started but did not answer: {trouble.what}",
            hint="try that program by hand with --headless",
        ) from trouble
    return browser


def resolver_rules(policy: Policy) -> str:
    """Write what Chrome may resolve at all: with an allow list for pages and parts, its hosts and nothing else.

    It binds what no request hook sees: sockets, workers, source maps, prefetches. Ports are beyond it.
    """
    pages, parts = policy.allow, policy.parts_allow
    if pages is None or any(rule.host == "*" for rule in (*pages, *(parts or ()))):
        return RESOLVER_RULES
    hosts = sorted({rule.host for rule in (*pages, *(parts or ()))})
    return ",".join([RESOLVER_RULES, "MAP * ~NOTFOUND", *(f"EXCLUDE {host}" for host in hosts)])


def _attach(address: str, policy: Policy, *, remote: bool) -> Browser:
    host = urlsplit(address).hostname or ""
    if not remote and not is_loopback(host):
        raise errors.UrlRefused(
            f"{host} is another machine",
            where=ATTACH,
            hint="--remote allows it; whoever can reach that port owns that browser",
        )
    until = time.monotonic() + _START
    url = endpoint(address, 5)
    try:
        transport = WebSocketTransport(url, 5)
    except Exception as trouble:  # websockets' own tree and OSError alike
        raise errors.AttachFailed(
            f"no DevTools endpoint answered at {url}: {trouble}",
            where=ATTACH,
            hint="start that browser with --remote-debugging-port=9222, or unset the variable to use our own",
        ) from trouble
    browser = Browser(transport, policy, None)
    try:
        browser.connect(until - time.monotonic())
    except errors.ChromeTrouble as trouble:
        browser.close()
        raise errors.AttachFailed(
            f"{url} does not answer as a browser: {trouble.what}", where=ATTACH
        ) from trouble
    return browser
