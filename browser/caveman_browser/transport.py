"""The two ways to Chrome: the debugging pipe of one that we own, a WebSocket to one that we attach to.

The only module that holds descriptors and sockets to Chrome. Moves whole messages; knows nothing of their content.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Protocol

from caveman_browser import errors
from caveman_browser.messages import PipeFrames

_CHUNK = 1 << 20


class Transport(Protocol):
    """What a link needs of either way."""

    def send(self, message: bytes) -> None:
        """Send one message whole. Raises OSError when the other side has gone."""

    def messages(self) -> Iterator[bytes]:
        """Give messages until the other side closes."""

    def close(self) -> None:
        """Close; `messages` ends."""


class PipeTransport:
    """``--remote-debugging-pipe``: messages end with NUL; no port exists, and Chrome ends with the pipe."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read, self._write = read_fd, write_fd
        self._closed = False

    def send(self, message: bytes) -> None:
        """Write the message and its NUL; blocks while the pipe is full."""
        if self._closed:
            raise BrokenPipeError
        view = memoryview(message + b"\x00")
        while view:
            view = view[os.write(self._write, view) :]

    def messages(self) -> Iterator[bytes]:
        """Read until Chrome closes its end, then close the descriptor."""
        frames = PipeFrames()
        try:
            while data := os.read(self._read, _CHUNK):
                yield from frames.feed(data)
        except OSError:
            return
        finally:
            os.close(self._read)

    def close(self) -> None:
        """Close our end of the commands' pipe: Chrome then quits, which ends `messages`."""
        if not self._closed:
            self._closed = True
            os.close(self._write)


class WebSocketTransport:
    """A DevTools endpoint of a Chrome that somebody else runs."""

    def __init__(self, url: str, timeout: float) -> None:
        from websockets.sync.client import connect

        # The proxies of the environment are for the web, not for a browser on this machine.
        self._open = ExitStack()
        how = connect(url, max_size=None, proxy=None, open_timeout=timeout, compression=None)
        self._socket: Any = self._open.enter_context(how)

    def send(self, message: bytes) -> None:
        """Send one text message."""
        from websockets.exceptions import WebSocketException

        try:
            self._socket.send(message.decode("ascii"))
        except WebSocketException as gone:
            raise BrokenPipeError from gone

    def messages(self) -> Iterator[bytes]:
        """Read until the endpoint closes."""
        from websockets.exceptions import WebSocketException

        try:
            for message in self._socket:
                yield message.encode("utf-8", "replace") if isinstance(message, str) else message
        except (WebSocketException, OSError):
            return

    def close(self) -> None:
        """Close the socket; the browser behind it stays."""
        self._open.close()


def endpoint(address: str, timeout: float) -> str:
    """Give the browser's WebSocket address behind ``address`` (ws:// as it is, http:// asked at /json/version).

    Raises `AttachFailed` with what was tried.
    """
    if address.startswith(("ws://", "wss://")):
        return address
    import http.client
    import json
    import urllib.request

    tried = address.rstrip("/") + "/json/version"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(tried, timeout=timeout) as answer:
            found = json.load(answer)["webSocketDebuggerUrl"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as trouble:
        raise errors.AttachFailed(
            f"no DevTools endpoint answered at {tried}: {trouble}",
            where="CAVEMAN_BROWSE_CDP",
            hint="start that browser with --remote-debugging-port=9222, or unset the variable to use our own",
        ) from trouble
    return str(found)
