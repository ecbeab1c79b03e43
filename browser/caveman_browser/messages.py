"""CDP messages: bytes to values and back, and the framing of the debugging pipe. Knows no transport and no state."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to call ``id``: a result, or Chrome's error text."""

    id: int
    result: dict[str, Any]
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a session (None: the browser itself)."""

    method: str
    params: dict[str, Any]
    session: str | None = None


def encode(call_id: int, method: str, params: dict[str, Any] | None, session: str | None) -> bytes:
    """Write one call as JSON. ASCII only, so that a lone surrogate in a value passes as its escape."""
    message: dict[str, Any] = {"id": call_id, "method": method, "params": params or {}}
    if session is not None:
        message["sessionId"] = session
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> Reply | Event | None:
    """Read one message; None for one that is not of the protocol. Total: stray bytes become U+FFFD."""
    try:
        message = json.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return None
    if not isinstance(message, dict):
        return None
    if isinstance(call_id := message.get("id"), int):
        return Reply(call_id, message.get("result") or {}, _error_text(message.get("error")))
    if isinstance(method := message.get("method"), str):
        return Event(method, message.get("params") or {}, message.get("sessionId"))
    return None


def _error_text(error: Any) -> str | None:
    if error is None:
        return None
    if not isinstance(error, dict):
        return str(error)
    data = f": {error['data']}" if error.get("data") else ""
    return f"{error.get('message', 'error')}{data}"


class PipeFrames:
    """Cuts the pipe's byte stream at its NUL bytes. Feed it what was read; it gives the whole messages."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        """Give the messages that ``data`` completes."""
        *whole, rest = data.split(b"\x00")
        if whole:
            whole[0] = b"".join([*self._parts, whole[0]])
            self._parts = []
        if rest:
            self._parts.append(rest)
        return whole
