"""Tabs and their frames, as Chrome's events tell them. The one place that knows what is open and what is going on.

Driven by `handle`, which runs on the link's reading thread: it posts and never waits. The clock is passed in. Other
threads read: they copy a dict before they go through it.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from caveman_browser import guard
from caveman_browser.guard import Blocked
from caveman_browser.messages import Event
from caveman_browser.policy import Policy, is_link_local

Post = Callable[[str, dict[str, Any] | None, str | None], None]

# Responses that go on for as long as the page lives; waiting for their end would be for ever.
_ENDLESS = ("EventSource", "WebSocket", "Media", "Ping", "Prefetch")
_PAGES = ("page", "iframe")
_WORKERS = ("worker", "shared_worker", "service_worker")
STREAM = 5.0
"""Seconds after which a request counts as a stream: nobody waits for it any more."""
_AUTO_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


@dataclass(slots=True)
class Dialog:
    """A dialog that a page opened and how it was answered: "accepted" or "dismissed"."""

    kind: str
    text: str
    answer: str


@dataclass(slots=True)
class Tab:
    """One page target. ``frames``: frame id -> CDP session, the main frame first.

    ``active`` is the clock at the last sign of loading. ``requests``: those in flight, with when they began.
    ``suspect``: a call met its deadline, so that the page may hang. ``answer``: whether the next question is
    accepted, and the words for a prompt. ``rest`` is what `settle` saw last.
    """

    target: str
    session: str
    opener: str | None
    active: float
    url: str = ""
    title: str = ""
    loader: str = ""
    loaded: bool = False
    crashed: bool = False
    suspect: bool = False
    frames: dict[str, str] = field(default_factory=dict)
    requests: dict[str, float] = field(default_factory=dict)
    dialogs: list[Dialog] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    answer: tuple[bool, str] = (False, "")
    rest: tuple[str, float] | None = None

    def sessions(self) -> list[str]:
        """Give the CDP sessions of the tab, its own first."""
        return [self.session, *(each for each in list(self.frames.values()) if each != self.session)]


class Targets:
    """All targets of one browser. Keeps only tabs that are ours: every one of an owned browser, else chosen ones."""

    def __init__(
        self, post: Post, policy: Policy, *, owned: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._post = post
        self._policy = policy
        self._owned = owned
        self._clock = clock
        self._wanted: set[str] = set()
        self._by_session: dict[str, Tab] = {}
        self.tabs: dict[str, Tab] = {}
        self.downloads: list[str] = []

    def want(self, target: str) -> None:
        """Keep this target of a browser that is not ours once it is attached to."""
        self._wanted.add(target)

    def forget_news(self) -> None:
        """Begin a command: what was reported is not reported again."""
        self.downloads.clear()
        for tab in list(self.tabs.values()):
            tab.dialogs.clear()
            tab.blocked.clear()

    def handle(self, event: Event) -> None:
        """Take one event in."""
        if (handler := self._HANDLERS.get(event.method)) is None:
            return
        if event.method.startswith(("Target.", "Browser.")):
            handler(self, event, None)
        elif event.session is not None and (tab := self._by_session.get(event.session)) is not None:
            handler(self, event, tab)
        elif event.method == "Fetch.requestPaused":
            # A worker's session belongs to no tab, but its requests are looked at all the same.
            handler(self, event, None)

    def _attached(self, event: Event, _: Tab | None) -> None:
        info, session = event.params["targetInfo"], event.params["sessionId"]
        parent = self._by_session.get(event.session or "")
        kind = info["type"]
        if kind == "page" and self._is_ours(info):
            self._add_tab(info, session)
        elif kind == "iframe" and parent is not None:
            parent.frames[info["targetId"]] = session
            self._by_session[session] = parent
        elif kind not in _WORKERS:
            # Chrome's own surfaces, and tabs of somebody else's browser: let them run and let them be.
            self._post("Runtime.runIfWaitingForDebugger", None, session)
            self._post("Target.detachFromTarget", {"sessionId": session}, event.session)
            return
        self._prepare(session, page=kind in _PAGES)

    def _is_ours(self, info: Mapping[str, Any]) -> bool:
        return self._owned or info["targetId"] in self._wanted or info.get("openerId") in self.tabs

    def _add_tab(self, info: Mapping[str, Any], session: str) -> None:
        target = info["targetId"]
        tab = Tab(
            target, session, info.get("openerId"), self._clock(), info.get("url", ""), info.get("title", "")
        )
        # An existing page was loaded before; a new one says so by its events.
        tab.loaded = not info.get("url") or info["url"] == "about:blank"
        tab.frames[target] = session
        self.tabs[target] = tab
        self._by_session[session] = tab

    def _prepare(self, session: str, *, page: bool) -> None:
        """Switch on what we must hear of, then let the target run: a new one waits for it."""
        steps: list[tuple[str, dict[str, Any]]] = [
            ("Fetch.enable", {"patterns": guard.patterns(self._policy, owned=self._owned)}),
            ("Target.setAutoAttach", _AUTO_ATTACH),
        ]
        if page:
            steps += [
                ("Page.enable", {}),
                ("Page.setLifecycleEventsEnabled", {"enabled": True}),
                ("Network.enable", {}),
                ("Inspector.enable", {}),
                ("Performance.enable", {}),
                ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            ]
        for method, params in [*steps, ("Runtime.runIfWaitingForDebugger", {})]:
            self._post(method, params, session)

    def _detached(self, event: Event, _: Tab | None) -> None:
        session = event.params.get("sessionId", "")
        tab = self._by_session.pop(session, None)
        if tab is None:
            return
        if session == tab.session:
            self.tabs.pop(tab.target, None)
        else:
            tab.frames = {frame: each for frame, each in tab.frames.items() if each != session}

    def _info(self, event: Event, _: Tab | None) -> None:
        info = event.params["targetInfo"]
        if (tab := self.tabs.get(info["targetId"])) is not None:
            tab.url, tab.title = info.get("url", ""), info.get("title", "")

    def _download(self, event: Event, _: Tab | None) -> None:
        self.downloads.append(str(event.params.get("url", "")))

    def _navigated(self, event: Event, tab: Tab | None) -> None:
        frame = event.params["frame"]
        if tab is None:
            return
        tab.active = self._clock()
        if frame["id"] == tab.target:
            tab.url = frame["url"] + frame.get("urlFragment", "")
            # A page that comes back from the back/forward cache is as it was: no load event will follow.
            restored = event.params.get("type") == "BackForwardCacheRestore"
            tab.loader, tab.loaded, tab.crashed = frame["loaderId"], restored, False
            tab.requests = {key: since for key, since in tab.requests.items() if key == frame["loaderId"]}

    def _moved(self, event: Event, tab: Tab | None) -> None:
        if tab is not None and event.params.get("frameId") == tab.target:
            tab.url, tab.active = event.params["url"], self._clock()

    def _lifecycle(self, event: Event, tab: Tab | None) -> None:
        if tab is None or event.params.get("frameId") != tab.target:
            return
        if event.params["name"] == "load" and event.params.get("loaderId") in (tab.loader, ""):
            tab.loaded, tab.active = True, self._clock()

    def _request(self, event: Event, tab: Tab | None) -> None:
        if tab is None or event.params.get("type") in _ENDLESS:
            return
        tab.active = self._clock()
        if event.params["request"]["url"].startswith(("http:", "https:")):
            tab.requests[event.params["requestId"]] = tab.active

    def _response(self, event: Event, tab: Tab | None) -> None:
        """Look where a name really led: one that resolves to a link-local address shows its page to nobody."""
        response = event.params.get("response", {})
        address = response.get("remoteIPAddress", "")
        if tab is not None and event.params.get("type") == "Document" and is_link_local(address):
            tab.blocked.append(
                Blocked(response.get("url", ""), f"it resolves to {address}", page=True, late=True)
            )
            self._post("Page.navigate", {"url": "about:blank"}, tab.session)
        self._traffic(event, tab)

    def _traffic(self, event: Event, tab: Tab | None) -> None:
        now = self._clock()
        if tab is not None and now - tab.requests.get(event.params.get("requestId", ""), -STREAM) < STREAM:
            tab.active = now

    def _finished(self, event: Event, tab: Tab | None) -> None:
        if tab is not None and tab.requests.pop(event.params.get("requestId", ""), None) is not None:
            tab.active = self._clock()

    def _dialog(self, event: Event, tab: Tab | None) -> None:
        """Answer at once, so that nothing ever waits on a dialog: alerts and leaving accepted, questions as told."""
        if tab is None:
            return
        kind = event.params["type"]
        accept, words = (True, "") if kind in ("alert", "beforeunload") else tab.answer
        self._post("Page.handleJavaScriptDialog", {"accept": accept, "promptText": words}, event.session)
        tab.dialogs.append(
            Dialog(kind, event.params.get("message", ""), "accepted" if accept else "dismissed")
        )
        tab.active = self._clock()

    def _crashed(self, _: Event, tab: Tab | None) -> None:
        if tab is not None:
            tab.crashed = True
            tab.requests.clear()

    def _paused(self, event: Event, tab: Tab | None) -> None:
        method, params, blocked = guard.verdict(event.params, self._policy)
        self._post(method, params, event.session)
        if blocked is not None and tab is not None:
            tab.blocked.append(blocked)

    _HANDLERS: ClassVar[Mapping[str, "Handler"]] = {
        "Target.attachedToTarget": _attached,
        "Target.detachedFromTarget": _detached,
        "Target.targetInfoChanged": _info,
        "Browser.downloadWillBegin": _download,
        "Page.frameNavigated": _navigated,
        "Page.navigatedWithinDocument": _moved,
        "Page.lifecycleEvent": _lifecycle,
        "Page.javascriptDialogOpening": _dialog,
        "Network.requestWillBeSent": _request,
        "Network.responseReceived": _response,
        "Network.dataReceived": _traffic,
        "Network.loadingFinished": _finished,
        "Network.loadingFailed": _finished,
        "Inspector.targetCrashed": _crashed,
        "Fetch.requestPaused": _paused,
    }


Handler = Callable[[Targets, Event, Tab | None], None]
