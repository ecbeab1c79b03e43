"""The process that keeps one Chrome, its pages and its references alive between commands.

Listens on a private socket (AF_UNIX 0600 in a 0700 folder, or a Windows named pipe) behind a random key; messages
are JSON. Ends at ``close`` or when idle. Nothing listens on TCP.
"""

import base64
import contextlib
import gc
import json
import os
import secrets
import sys
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Listener
from multiprocessing.util import get_temp_dir
from typing import Any

from caveman_browser import client, errors, profiles
from caveman_browser.browser import Launch
from caveman_browser.idle import IdleTimer
from caveman_browser.replies import Reply
from caveman_browser.session import Session
from caveman_engine.errors import CavemanError

_VERBS: dict[str, Callable[..., Reply]] = {
    "snapshot": Session.snapshot,
    "step": Session.step,
    "act": Session.act,
    "evaluate": Session.evaluate,
    "tabs": Session.tabs,
    "screenshot": Session.screenshot,
}
_PATIENCE = 10.0
"""Seconds that a connected command may take to say what it wants."""


class Host:
    """One session behind one listener. Commands are served one after the other."""

    def __init__(self, session: Session, listener: Listener, address_file: str, idle: float) -> None:
        self._session = session
        self._listener = listener
        self._address_file = address_file
        self._serving = threading.Lock()
        self._timer = IdleTimer(idle, self._serving, self._when_idle)

    def serve(self) -> None:
        """Serve commands until one says ``close``."""
        with self._serving:
            self._timer.start()
        while True:
            try:
                connection = self._listener.accept()
            except (OSError, EOFError, AuthenticationError):
                # A command that was killed while it connected, or somebody without the key.
                continue
            with contextlib.closing(connection), self._serving:
                self._timer.stop()
                if not self._answer(connection):
                    return
                self._timer.start()

    def _answer(self, connection: Any) -> bool:
        """Serve one connection; False when it asked to close."""
        try:
            if not connection.poll(_PATIENCE):
                return True
            request = json.loads(connection.recv_bytes())
            if request["verb"] == "close":
                self.end()
                connection.send_bytes(b'{"answer": null}')
                return False
            connection.send_bytes(json.dumps(self._run(request)).encode("ascii"))
        except (OSError, EOFError, ValueError):
            # The command has gone; what it did stays done.
            return True
        return True

    def _run(self, request: dict[str, Any]) -> dict[str, Any]:
        arguments = request["arguments"]
        self._session.folder = request.get("folder")
        try:
            if request["verb"] == "recover":
                data = self._session.recover(arguments.get("reference"))
                return {"answer": base64.b64encode(data).decode("ascii")}
            return {"answer": _VERBS[request["verb"]](self._session, **arguments).as_dict()}
        except CavemanError as error:
            return {"error": {**error.as_dict(), "exit_status": error.exit_status}}
        except Exception as fault:  # noqa: BLE001 - the command must hear of any fault, and the host lives on
            failed = errors.HostFailed(f"{type(fault).__name__}: {fault}", where=_where(fault))
            return {"error": {**failed.as_dict(), "exit_status": failed.exit_status}}

    def end(self) -> None:
        """Close the browser and forget the address: the next command begins anew on purpose."""
        self._timer.stop()
        self._session.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._address_file)

    def _when_idle(self) -> None:
        """End the process, leaving the address file: it tells the next command that a browser had been there."""
        try:
            self._session.close()
        finally:
            _remove_socket(str(self._listener.address))
            # The main thread waits for a connection and cannot be woken on every system.
            os._exit(0)


def main(arguments: list[str]) -> None:
    """Run the host that ``arguments[0]``, an order of `client`, describes."""
    order = json.loads(arguments[0])
    profile, settings = order["profile"], order["settings"]
    try:
        host = _make(profile, settings, anew=order["anew"])
    except (CavemanError, OSError) as trouble:
        _say({"error": {"what": str(trouble)}})
        return
    _say({"ready": True})
    try:
        host.serve()
    finally:
        host.end()


def _make(profile: str | None, settings: dict[str, Any], *, anew: bool) -> Host:
    from caveman_engine import config

    profiles.browser_home()
    if (before := client.read_address(profile)) is not None:
        _remove_socket(before["listen"])
    # A large page is a few hundred thousand objects at once: collecting after every 700 is a tenth of the time.
    gc.set_threshold(50_000, 50, 50)
    session = Session(
        launch=Launch(profile, settings["headful"], settings["remote"]),
        idle=0,
        ended="the browser of the commands before had ended" if anew else None,
    )
    key = secrets.token_bytes(32)
    # The socket is made 0600, in a folder that multiprocessing makes 0700 and removes at exit.
    get_temp_dir()
    mask = os.umask(0o177) if sys.platform != "win32" else 0
    try:
        listener = Listener(
            family="AF_PIPE" if sys.platform == "win32" else "AF_UNIX", authkey=key, backlog=16
        )
    finally:
        if sys.platform != "win32":
            os.umask(mask)
    address = client.address_file(profile)
    found = {"listen": listener.address, "key": key.hex(), "pid": os.getpid(), "settings": settings}
    config.replace(address, json.dumps(found).encode())
    return Host(session, listener, address, float(config.load().get("browser.idle")))


def _remove_socket(listen: str) -> None:
    """Remove a socket and its folder, which a host that was ended otherwise than by ``close`` leaves."""
    if os.path.basename(os.path.dirname(listen)).startswith("pymp-"):
        with contextlib.suppress(OSError):
            os.unlink(listen)
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(listen))


def _say(value: dict[str, Any]) -> None:
    """Tell the command that started us, then let its pipe go."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def _where(fault: BaseException) -> str | None:
    """Name the line that a fault came from."""
    last = fault.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}" if last else None


if __name__ == "__main__":
    main(sys.argv[1:])
