import contextlib
import json
import os
import subprocess
import sys
import time

import pytest

from caveman_engine import ledger
from caveman_engine.ledger import Event


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A fresh CAVEMAN_HOME and a user's home of its own, for this process and its children."""
    for name in [name for name in os.environ if name.startswith(("CAVEMAN_", "CAVE_"))]:
        monkeypatch.delenv(name)
    user = tmp_path / "user"
    user.mkdir()
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("CAVEMAN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path / "home"


@pytest.fixture
def caveman(home):
    """Run `caveman` as a process; give the CompletedProcess with bytes."""

    def run(*args, **options):
        return subprocess.run(
            [sys.executable, "-c", "from caveman_app.cli import run; run()", *args],
            capture_output=True,
            timeout=120,
            **options,
        )

    return run


@pytest.fixture
def caveman_json(caveman):
    def run(*args):
        done = caveman(*args)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


class Server:
    """A caveman-mcp process spoken to line by line, as a host does."""

    def __init__(self, *args, **options):
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from caveman_app.mcp import main; main()", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )
        self._answers = {}
        self._number = 0

    def send(self, message):
        self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params=None):
        """Send a request without waiting; give its id."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        return self._number

    def answer(self, number):
        while number not in self._answers:
            line = self.process.stdout.readline()
            assert line, "the server ended"
            message = json.loads(line)
            self._answers[message.get("id")] = message
        return self._answers.pop(number)

    def request(self, method, params=None):
        return self.answer(self.ask(method, params))

    def initialize(self, **params):
        params = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tester", "version": "1"},
            **params,
        }
        said = self.request(
            "initialize", {name: value for name, value in params.items() if value is not None}
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return said

    def start_call(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def call(self, name, **arguments):
        """Call a tool; give the texts of its result."""
        result = self.answer(self.start_call(name, **arguments))["result"]
        assert not result.get("isError"), result
        return [part["text"] for part in result["content"]]

    def error(self, name, **arguments):
        """Call a tool that must fail; give the text of its error."""
        result = self.answer(self.start_call(name, **arguments))["result"]
        assert result["isError"], result
        (part,) = result["content"]
        return part["text"]

    def tools(self):
        return {tool["name"]: tool for tool in self.request("tools/list")["result"]["tools"]}

    def close(self):
        """Close stdin; give the seconds until the process ended."""
        begun = time.monotonic()
        self.process.stdin.close()
        self.process.wait(20)
        return time.monotonic() - begun

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        with contextlib.suppress(OSError):
            self.process.stdin.close()


@pytest.fixture
def server(home):
    """Start servers; all are ended with the test."""
    started = []

    def start(*args, initialize=True, **options):
        server = Server(*args, **options)
        started.append(server)
        if initialize:
            server.initialize()
        return server

    yield start
    for one in started:
        one.end()


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    """One server for all tests of a module that do not mind what the others did."""
    folder = tmp_path_factory.mktemp("shared")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CAVEMAN_")}
    server = Server(env={**kept, "CAVEMAN_HOME": str(folder / "home")}, cwd=folder)
    server.initialize()
    yield server
    server.end()


@pytest.fixture
def used(home):
    """A ledger with something of everything."""
    for n in range(6):
        handle = f"ccr_{n:032x}"
        ledger.record(Event("compress", content_type="log", tokens_in=9000, tokens_out=300, handle=handle))
        if n < 3:
            ledger.record(Event("retrieve", handle=handle))
    ledger.record(
        Event(
            "compress",
            source="mcp",
            session="s",
            content_type="json",
            tokens_in=4000,
            tokens_out=900,
            handle="ccr_x",
        )
    )
    ledger.record(
        Event(
            "shrink", content_type="<script>", tokens_in=50, tokens_out=50, reason="too_small", exit_status=1
        )
    )
    return home
