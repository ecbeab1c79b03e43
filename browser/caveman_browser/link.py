"""A thread that moves messages between a transport and a connection. Owns waiting and deadlines.

Events are handled on the reading thread the moment they arrive, so that a dialog is answered while a call waits for
its reply. A handler must not wait: it may `post`, never `call`.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from caveman_browser import errors
from caveman_browser.connection import Connection
from caveman_browser.messages import Event
from caveman_browser.transport import Transport

DEADLINE = 15.0
"""Seconds that a call waits when it does not say."""


class Link:
    """Calls over one transport, from any thread."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._connection = Connection()
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self, on_event: Callable[[Event], None]) -> None:
        """Begin to read and to hand out events. Apart from construction, so that the handler can know its link."""
        self._thread = threading.Thread(target=self._pump, args=(on_event,), name="cdp", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> str | None:
        """Say why the connection has closed; None while it is open."""
        return self._connection.closed

    def call(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        session: str | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Call and wait for the result.

        ``timeout`` in seconds. Raises `DeadlineExceeded`, `ProtocolError`, and what ends a session or connection:
        `TargetGone`, `PageCrashed`, `BrowserLost`.
        """
        seconds = DEADLINE if timeout is None else max(timeout, 0.05)
        with self._changed:
            call, data = self._connection.request(method, params, session)
        self._send(data)
        with self._changed:
            self._changed.wait_for(lambda: call.done, seconds)
            if not call.done:
                self._connection.abandon(call)
                raise errors.DeadlineExceeded(f"{method}: no answer within {seconds:.1f} s")
        if call.error is not None:
            raise call.error
        return call.result

    def post(self, method: str, params: dict[str, Any] | None = None, session: str | None = None) -> None:
        """Call without waiting; what becomes of it is not told. For event handlers."""
        with self._changed:
            if self._connection.closed is not None:
                return
            call, data = self._connection.request(method, params, session)
            self._connection.abandon(call)
        self._send(data)

    def wait_for(self, holds: Callable[[], bool], timeout: float) -> bool:
        """Wait until ``holds()``, looked at after every event; False when time is up or the connection closed."""
        until = time.monotonic() + timeout
        with self._changed:
            while not holds():
                left = until - time.monotonic()
                if left <= 0 or self.lost is not None:
                    return False
                self._changed.wait(left)
        return True

    def close(self) -> None:
        """Close the transport and wait for the reading thread."""
        with self._changed:
            self._connection.close("closed")
        self._transport.close()
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._thread.join(5)

    def _send(self, data: bytes) -> None:
        try:
            with self._sending:
                self._transport.send(data)
        except OSError:
            self._end("the browser has gone")

    def _pump(self, on_event: Callable[[Event], None]) -> None:
        for data in self._transport.messages():
            with self._changed:
                event = self._connection.receive(data)
                if event is None:
                    self._changed.notify_all()
            if event is not None:
                on_event(event)
                with self._changed:
                    self._changed.notify_all()
        self._end("the browser closed the connection")

    def _end(self, reason: str) -> None:
        with self._changed:
            self._connection.close(reason)
            self._changed.notify_all()
