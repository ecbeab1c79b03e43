"""The state of one DevTools connection: calls in flight, sessions, their ends. Sans-I/O.

It turns calls into bytes and received messages into outcomes and events. It knows no socket, thread or clock: a
driver (`link`) feeds it and waits. Flattened sessions: one connection carries every target, told apart by
``sessionId``.
"""

from dataclasses import dataclass, field
from typing import Any

from caveman_browser import errors, messages
from caveman_browser.messages import Event, Reply

_ANEW = "the next command that opens a page starts the browser anew"


@dataclass(slots=True)
class Call:
    """One call in flight. ``result`` or ``error`` is set once it is ``done``."""

    id: int
    method: str
    session: str | None
    result: dict[str, Any] = field(default_factory=dict)
    error: errors.BrowserError | None = None
    done: bool = False


class Connection:
    """Calls by id. Every call ends: by its reply, by the end of its session or of the connection, or abandoned."""

    def __init__(self) -> None:
        self._last_id = 0
        self._pending: dict[int, Call] = {}
        self.closed: str | None = None

    @property
    def pending(self) -> int:
        """Give the number of calls in flight."""
        return len(self._pending)

    def request(
        self, method: str, params: dict[str, Any] | None = None, session: str | None = None
    ) -> tuple[Call, bytes]:
        """Start a call; the bytes are to be sent. Raises `BrowserLost` once the connection has closed."""
        if self.closed is not None:
            raise errors.BrowserLost(
                f"{method}: {self.closed}", hint="the next command starts the browser anew"
            )
        self._last_id += 1
        call = Call(self._last_id, method, session)
        self._pending[call.id] = call
        return call, messages.encode(call.id, method, params, session)

    def receive(self, data: bytes) -> Event | None:
        """Take one message in: a reply ends its call, an event is given back. Other bytes are ignored."""
        message = messages.decode(data)
        if isinstance(message, Reply):
            self._settle(message)
            return None
        if message is not None:
            self._end_sessions(message)
        return message

    def abandon(self, call: Call) -> None:
        """Stop waiting for a call; a reply that still comes is dropped."""
        self._pending.pop(call.id, None)

    def close(self, reason: str) -> None:
        """End every call: the other side has gone."""
        if self.closed is None:
            self.closed = reason
        for call in list(self._pending.values()):
            self._fail(call, errors.BrowserLost(f"{call.method}: {reason}", hint=_ANEW))

    def _settle(self, reply: Reply) -> None:
        call = self._pending.pop(reply.id, None)
        if call is None:
            return
        call.result = reply.result
        if reply.error is not None:
            call.error = errors.ProtocolError(f"{call.method}: {reply.error}")
        call.done = True

    def _end_sessions(self, event: Event) -> None:
        """Fail the calls of a session that was detached or whose renderer crashed: no reply will come."""
        if event.method == "Target.detachedFromTarget":
            session = event.params.get("sessionId")
            for call in [call for call in self._pending.values() if call.session == session]:
                self._fail(call, errors.TargetGone(f"{call.method}: the page or frame was closed"))
        elif event.method == "Inspector.targetCrashed":
            for call in [call for call in self._pending.values() if call.session == event.session]:
                hint = "open the page again; the next call works"
                self._fail(call, errors.PageCrashed(f"{call.method}: the page crashed", hint=hint))

    def _fail(self, call: Call, error: errors.BrowserError) -> None:
        self._pending.pop(call.id, None)
        call.error = error
        call.done = True
