"""The command's side of the private line to the process that keeps Chrome between commands.

On the start-up path of every command: imports little. Owns finding, starting and asking that process; what it does
is `host`'s. Messages are JSON; nothing is ever unpickled.
"""

import contextlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from caveman_browser import errors
from caveman_engine import console
from caveman_engine.home import home

START = 30.0
"""Seconds that the host may take to come up."""
_GRACE = 45.0
"""Seconds beyond a command's own time limit until the host counts as hung: a start of Chrome may be in it."""
_VARIABLES = ("CAVEMAN_BROWSE_CDP", "CAVEMAN_BROWSE_CHROME")

Address = dict[str, Any]
"""What the address file holds: where the host listens, its key, and the settings that it was started with."""


def address_file(profile: str | None) -> str:
    """Give the path of the file that says where the profile's host listens."""
    return os.path.join(home(), "browser", f"host-{profile}.json" if profile else "host.json")


def settings(*, headful: bool, remote: bool) -> dict[str, Any]:
    """Give what a host is started with and cannot change later."""
    return {"headful": headful, "remote": remote, **{name: os.environ.get(name) for name in _VARIABLES}}


def ask(
    verb: str,
    arguments: Mapping[str, Any],
    *,
    profile: str | None = None,
    headful: bool = False,
    remote: bool = False,
    starts: bool = False,
) -> Any:
    """Have the host run one of the session's verbs and give its answer as JSON.

    ``starts``: start the host when there is none; otherwise `NoPage`. Raises what the session raised.
    """
    wanted = settings(headful=headful, remote=remote)
    connection = connect(profile, wanted if starts else None)
    if connection is None:
        if not starts:
            raise errors.NoPage("no page is open", hint="open one: caveman tools browse URL")
        _check_before_start(verb, arguments)
        connection = _start(profile, wanted)
    request = {"verb": verb, "arguments": dict(arguments), "folder": os.getcwd()}
    limit = float(arguments.get("timeout") or 15) + _GRACE
    with contextlib.closing(connection):
        answer = _exchange(connection, request, limit)
    if "error" in answer:
        raise _error(answer["error"])
    return answer["answer"]


def show(reply: Mapping[str, Any], *, as_json: bool) -> None:
    """Print a reply: the text on stdout, what only a person needs on stderr."""
    for aside in reply.get("asides") or ():
        console.say(aside)
    if as_json:
        console.print_json(reply)
        return
    console.write((reply["text"] + "\n").encode("utf-8", "replace"))
    if reply.get("handle"):
        console.say(f"recover: {reply['handle']}")


def close(profile: str | None) -> bool:
    """End the host and its Chrome; False when there was none."""
    connection = connect(profile, None)
    if connection is None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(address_file(profile))
        return False
    with contextlib.closing(connection):
        _exchange(connection, {"verb": "close", "arguments": {}}, 30)
    return True


def connect(profile: str | None, wanted: Mapping[str, Any] | None) -> Any:
    """Connect to the profile's host; None when there is none that has the ``wanted`` settings (None: any)."""
    address = read_address(profile)
    if address is None:
        return None
    from multiprocessing import AuthenticationError
    from multiprocessing.connection import Client

    try:
        connection = Client(address["listen"], authkey=bytes.fromhex(address["key"]))
    except (OSError, EOFError, AuthenticationError, ValueError, TypeError):
        # Nobody listens there, or the address is damaged.
        return None
    if wanted is not None and address["settings"] != wanted:
        with contextlib.closing(connection):
            _exchange(connection, {"verb": "close", "arguments": {}}, 30)
        return None
    return connection


def read_address(profile: str | None) -> Address | None:
    """Read the address file; None when there is none of this version's form."""
    try:
        with open(address_file(profile), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"listen", "key", "settings"} <= found.keys() else None


def _exchange(connection: Any, request: Mapping[str, Any], limit: float) -> dict[str, Any]:
    try:
        connection.send_bytes(json.dumps(request).encode("ascii"))
        if not connection.poll(limit):
            raise errors.HostFailed(
                f"the browser's host process did not answer within {limit:g} s",
                hint="caveman tools browse close ends it; the next command starts it anew",
            )
        answer: dict[str, Any] = json.loads(connection.recv_bytes())
    except (OSError, EOFError) as gone:
        raise errors.HostFailed(
            "the browser's host process ended during the command", hint="the next command starts it anew"
        ) from gone
    return answer


def _error(found: Mapping[str, Any]) -> errors.BrowserError:
    """Make the host's error ours: same code, words and exit status."""
    error = errors.BrowserError(found["what"], where=found["where"], hint=found["hint"])
    error.code, error.exit_status = found["code"], found["exit_status"]
    return error


def _check_before_start(verb: str, arguments: Mapping[str, Any]) -> None:
    """Refuse an address before a process is started for it."""
    if verb == "snapshot" and arguments.get("url") is not None:
        from caveman_browser import grants

        grants.load().policy.check(arguments["url"])


def _start(profile: str | None, wanted: Mapping[str, Any]) -> Any:
    """Start the host, one at a time, and connect to it."""
    with _starting(profile):
        # Another command may have started it while this one waited.
        connection = connect(profile, wanted)
        if connection is None:
            _spawn(profile, wanted)
            connection = connect(profile, wanted)
    if connection is None:
        raise errors.HostFailed(
            "the browser's host process started but cannot be reached", where=address_file(profile)
        )
    return connection


def _spawn(profile: str | None, wanted: Mapping[str, Any]) -> None:
    """Start the host process detached from this command and wait until it listens."""
    import subprocess
    import sys

    order = {"profile": profile, "settings": dict(wanted), "anew": os.path.exists(address_file(profile))}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "caveman_browser.host", json.dumps(order)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=home(),
        start_new_session=True,
    )
    assert process.stdout is not None
    with process.stdout:
        said = process.stdout.readline()
    # Left alone on purpose: it outlives this command.
    process.returncode = 0
    answer = (
        json.loads(said) if said else {"error": {"what": "it ended at once", "where": None, "hint": None}}
    )
    if "error" in answer:
        raise errors.HostFailed(f"the browser's host process did not start: {answer['error']['what']}")


@contextlib.contextmanager
def _starting(profile: str | None) -> Iterator[None]:
    """Hold the right to start the profile's host."""
    from caveman_browser.profiles import browser_home, lock

    path = os.path.join(browser_home(), os.path.basename(address_file(profile)) + ".lock")
    until = time.monotonic() + START
    while (held := lock(path)) is None:
        if time.monotonic() > until:
            raise errors.HostFailed("another command has been starting the browser for too long", where=path)
        time.sleep(0.05)
    try:
        yield
    finally:
        os.close(held)
