"""One browser session: what the command line's host and the MCP server call. One command at a time.

Owns the order of things: grant, policy, browser, action, rest, capture, store, view. Starts Chrome at first use,
closes it when idle, and begins anew after it was lost.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from caveman_browser import audit, errors, grants, replies
from caveman_browser import browser as chromes
from caveman_browser.browser import Launch
from caveman_browser.captures import Captures
from caveman_browser.grants import Rules
from caveman_browser.idle import IdleTimer
from caveman_browser.policy import origin_of
from caveman_browser.reader import Reader
from caveman_browser.refs import RefMap
from caveman_browser.replies import Reply
from caveman_engine.errors import StoreTrouble

if TYPE_CHECKING:
    from caveman_browser.browser import Browser
    from caveman_browser.snapshot import Capture
    from caveman_browser.targets import Tab
    from caveman_engine.recovery import RecoveryStore

TIMEOUT = 15.0
"""Seconds that a command may wait for a page."""
MAX_TOKENS = 2000
_REACTION = 0.1


class Session:
    """A browser and what was seen in it. Thread-safe; commands wait for each other.

    ``allow`` are verbs granted for the whole session (``source`` says by whom), ``folder`` the project whose
    settings hold, ``idle`` the seconds after which an unused browser is closed (0: never), ``ended`` why there is
    none although there was one before.
    """

    def __init__(
        self,
        *,
        allow: Sequence[str] = (),
        source: str = "--allow",
        launch: Launch | None = None,
        store: RecoveryStore | None = None,
        idle: float | None = None,
        folder: str | None = None,
        ended: str | None = None,
    ) -> None:
        self.folder = folder
        self._allow, self._source = tuple(allow), source
        self._launch = launch or Launch()
        self._captures = Captures(store)
        self._refs = RefMap()
        self._lock = threading.RLock()
        self._browser: Browser | None = None
        self._ended = ended
        self._idle = _idle_seconds() if idle is None else idle
        self._timer = IdleTimer(self._idle, self._lock, self._when_idle)

    def snapshot(
        self,
        url: str | None = None,
        query: str | None = None,
        *,
        max_tokens: int = MAX_TOKENS,
        wait_for: str | None = None,
        timeout: float = TIMEOUT,
        tab: int | None = None,
        new: bool = False,
    ) -> Reply:
        """Open ``url``, or stay on the current page, and show it: whole, or what fits ``query``.

        Raises `UrlRefused`, `NavigationFailed`, `WaitNotMet`, `NoPage`, `DeadlineExceeded`, and Chrome's troubles.
        """
        rules = self._rules()
        if url is not None:
            url = rules.policy.check(url)
        with self._command(rules, timeout, opens=url is not None) as command:
            if tab is not None:
                command.browser.choose(tab)
            if url is not None:
                settled = command.reader.open(url, new=new)
            else:
                settled = command.reader.settle(command.browser.current())
            return self._view(command, query, max_tokens, wait_for, settled=settled, asked=url)

    def find(self, query: str, *, max_tokens: int = MAX_TOKENS, timeout: float = TIMEOUT) -> Reply:
        """Show what fits ``query`` on the current page."""
        return self.snapshot(None, query, max_tokens=max_tokens, timeout=timeout)

    def step(self, by: int, *, max_tokens: int = MAX_TOKENS, timeout: float = TIMEOUT) -> Reply:
        """Go back (-1) or forward (1) and show the page."""
        with self._command(self._rules(), timeout) as command:
            settled = command.reader.step(by)
            return self._view(command, None, max_tokens, None, settled=settled, asked=None)

    def act(
        self,
        reference: str,
        verb: str,
        text: str | None = None,
        *,
        allow: Sequence[str] = (),
        append: bool = False,
        view: bool = True,
        timeout: float = TIMEOUT,
    ) -> Reply:
        """Do ``verb`` to the element of ``reference`` and say what changed.

        The grant is looked at before reference, state or Chrome. Raises `WriteDenied`, `StaleReference`,
        `UnknownReference`, `NotActionable`, `NoPage`, and Chrome's troubles.
        """
        rules = self._rules(allow)
        if verb not in grants.ACTIONS:
            raise errors.BadRequest(f"there is no verb {verb!r}", hint="one of " + ", ".join(grants.ACTIONS))
        rules.require(verb)
        with self._command(rules, timeout) as command:
            known = self._refs.known(reference)
            tab = command.browser.tab_of(known.page)
            with audit.entry(origin=origin_of(tab.url), verb=verb, role=known.role, name=known.name):
                rules.require(verb, tab.url)
                before = command.reader.look(tab)
                element = self._refs.resolve(reference, before)
                for url in _addresses(before, element.frame):
                    rules.require(verb, url)
                outcome = command.writer(tab).act(
                    verb, element.backend, element.session, element.frame, text, append=append
                )
                settled = self._rest(command, tab)
            return self._changed(command, tab, before, outcome, settled=settled, view=view)

    def evaluate(self, expression: str, *, allow: Sequence[str] = (), timeout: float = TIMEOUT) -> Reply:
        """Evaluate an expression in the current page; ``data["value"]`` is its JSON value.

        Raises `WriteDenied`, `ScriptError`, `DeadlineExceeded`.
        """
        from caveman_browser import writer

        rules = self._rules(allow)
        rules.require("eval")
        with self._command(rules, min(timeout, writer.EVAL)) as command:
            tab = command.browser.current()
            with audit.entry(origin=origin_of(tab.url), verb="eval", role="", name=""):
                rules.require("eval", tab.url)
                value = command.writer(tab).evaluate(expression)
            notes = command.news(tab)
            return Reply(replies.value_text(value), tab.url, tab.title, notes=notes, data={"value": value})

    def tabs(self) -> Reply:
        """List the open pages. Starts no browser."""
        with self._lock:
            live = self._browser if self._browser is not None and self._browser.lost is None else None
            rows = replies.tab_list(live.tabs, live.chosen) if live else []
            return Reply(replies.tab_lines(rows), data={"tabs": rows})

    def screenshot(self, path: str, *, full: bool = False, timeout: float = TIMEOUT) -> Reply:
        """Write a PNG of the current page into the file ``path``; the reply names it and never holds the picture."""
        with self._command(self._rules(), timeout) as command:
            tab = command.browser.current()
            size = command.reader.screenshot(tab, path, full=full)
            return Reply(path, tab.url, tab.title, data={"path": path, "bytes": size})

    def recover(self, reference: str | None = None) -> bytes:
        """Give the exact captured JSON under a reference, or of the last view."""
        with self._lock:
            data = self._captures.give_back(reference)
        if data is None:
            raise errors.NoPage(
                "nothing was captured in this session", hint="give the handle that a view named"
            )
        return data

    def interrupt(self) -> None:
        """End the page that the running command waits for; from any thread, without waiting for that command."""
        if (browser := self._browser) is not None:
            browser.interrupt()

    def close(self) -> None:
        """Close the browser and all that belongs to it. The next command starts anew."""
        with self._lock:
            self._timer.stop()
            if self._browser is not None:
                self._browser.close()
                self._browser = None
            self._captures.close()

    def _rules(self, allow: Sequence[str] = ()) -> Rules:
        return grants.load((*self._allow, *allow), source=self._source, folder=self.folder)

    @contextmanager
    def _command(self, rules: Rules, timeout: float, *, opens: bool = False) -> Iterator[_Command]:
        """Run one command on a living browser; what it leaves hanging is ended, so that the next one works."""
        with self._lock:
            self._timer.stop()
            browser, notes, asides = self._ready(rules, opens=opens)
            command = _Command(browser, time.monotonic() + timeout, notes, asides)
            browser.targets.forget_news()
            try:
                yield command
            except errors.DeadlineExceeded as late:
                browser.interrupt()
                late.hint = late.hint or "what kept the page busy was ended; the next call works"
                raise
            finally:
                self._timer.start()

    def _ready(self, rules: Rules, *, opens: bool) -> tuple[Browser, list[str], list[str]]:
        """Give the browser, started when there is none, with notes and asides on a start."""
        if self._browser is not None and (reason := self._browser.lost or self._outdated(rules)):
            self._browser.close()
            self._browser = None
            self._ended = reason
        if self._browser is not None:
            return self._browser, [], []
        ended, self._ended = self._ended, None
        if not opens:
            what = f"no page is open: {ended}" if ended else "no page is open"
            raise errors.NoPage(what, hint="open one: caveman tools browse URL")
        self._browser = chromes.start(rules.policy, self._launch)
        notes = [f"started anew: {ended}; references from before are gone"] if ended else []
        return self._browser, notes, self._browser.notes

    def _outdated(self, rules: Rules) -> str | None:
        assert self._browser is not None
        return None if self._browser.policy == rules.policy else "the address lists changed"

    def _rest(self, command: _Command, tab: Tab) -> bool:
        """Wait for rest after an action, which may have closed the tab."""
        # A navigation or a pop-up begins a moment after what caused it.
        time.sleep(_REACTION)
        try:
            return command.reader.settle(tab)
        except errors.TargetGone:
            return True

    def _view(
        self,
        command: _Command,
        query: str | None,
        max_tokens: int,
        wait_for: str | None,
        *,
        settled: bool,
        asked: str | None,
    ) -> Reply:
        from caveman_browser.view import render
        from caveman_engine.recovery.pointers import handle_of

        tab = command.browser.current()
        capture = command.reader.look(tab, wait_for)
        handle: str | None = handle_of(capture.data)
        show = partial(render, capture, self._refs, asked_url=asked, settled=settled)
        shown = show(query=query, max_tokens=max_tokens, handle=handle)
        notes = command.news(tab)
        metadata = {"url": shown.url, "title": shown.title, "query": query, "references": shown.refs}
        try:
            self._captures.keep(capture.data, view=shown.text, metadata=metadata)
        except StoreTrouble as trouble:
            # Nothing may be left out of a view whose original is not kept.
            handle = None
            shown = show(max_tokens=0)
            notes.append(f"not stored, so shown whole: {trouble.what}")
        text = replies.with_notes(shown.text, notes)
        return Reply(text, shown.url, shown.title, settled, handle, notes, command.asides, shown.as_dict())

    def _changed(
        self, command: _Command, tab: Tab, before: Capture, outcome: str | None, *, settled: bool, view: bool
    ) -> Reply:
        from caveman_browser.changes import changes

        browser = command.browser
        alive = tab.target in browser.targets.tabs
        lines = ["ok" if outcome is None else f"ok: {outcome}"]
        text = ""
        if not alive:
            rows = replies.tab_list(browser.tabs, browser.chosen)
            lines += ["the page closed itself; left:", replies.tab_lines(rows)]
        elif not view:
            command.reader.learn_title(tab)
            lines += [f"url: {replies.short(tab.url)}", f"title: {replies.quoted(tab.title)}"]
        else:
            text = changes(before, command.reader.look(tab), self._refs)
            urls = f"url: {replies.short(before.url)} -> {replies.short(tab.url)}"
            moved = tab.url != before.url
            lines += [urls, text] if moved else [text or f"nothing changed; {urls}"]
        notes = command.news(tab)
        if not settled:
            notes.append("not settled: the page was still loading or changing")
        data = {"outcome": outcome or "ok", "url_before": before.url, "changes": text}
        return Reply(
            replies.with_notes("\n".join(filter(None, lines)), notes),
            tab.url,
            tab.title,
            settled,
            notes=notes,
            data=data,
        )

    def _when_idle(self) -> None:
        if self._browser is not None:
            self.close()
            self._ended = f"the browser was closed after {self._idle:g} s without a command"


class _Command:
    """What one command works with. ``notes`` and ``asides`` are what its beginning had to say."""

    def __init__(self, browser: Browser, until: float, notes: list[str], asides: list[str]) -> None:
        self.browser = browser
        self.until = until
        self.asides = asides
        self.reader = Reader(browser, until)
        self._notes = notes
        self._known = set(browser.targets.tabs)

    def news(self, tab: Tab) -> list[str]:
        """Say what happened since the command began, beside what it was to do."""
        return [*self._notes, *replies.news(tab, self.browser.targets, self._known | self.browser.made)]

    def writer(self, tab: Tab) -> Any:
        """Make the writer of this command. Only after a grant."""
        from caveman_browser.writer import Writer

        return Writer(self.browser, tab, self.until)


def _addresses(capture: Capture, frame: str) -> list[str]:
    """Give whose page an element is: the page's address, and its frame's where that has one of its own."""
    frames = (each["url"] for each in capture.document["frames"] if each["id"] == frame)
    return [capture.url, *(url for url in frames if url.startswith(("http:", "https:")))]


def _idle_seconds() -> float:
    from caveman_engine import config

    return float(config.load().get("browser.idle"))
