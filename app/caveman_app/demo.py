"""`caveman demo`: the commands that a user types, on real output of this machine, in a temporary home.

Runs the installed program itself and checks what it shows: hashes of what comes back, the fact that is found.
"""

import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import typer

# A real program's log: two thousand requests to Python's own web server, one of them for a file that is not there.
_SERVE = """
import functools, http.server, os, sys, threading, urllib.error, urllib.request
folder = os.path.dirname(os.__file__)
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
names = ["os.py", "ast.py", "json/decoder.py", "http/server.py", "this.py"]
for turn in range(400):
    for name in names + ["no_such_module.py"] * (turn == 250):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{name}").read()
        except urllib.error.HTTPError:
            status = 1
sys.exit(status)
"""
_FACTS = (
    "The cache cluster answers on port 7001",
    "Releases are cut every Tuesday with `just release`",
    "The staging database is restored every night at 02:30",
    "readTimeoutMs is set in http/client_pool.go",
)
_RUNBOOK = "".join(
    f"Step {n}: check the {part} of region {n % 7} and write the result down.\n"
    for n, part in enumerate(("queue", "replica", "certificate", "quota", "backup", "alert", "disk") * 40, 1)
).replace("Step 133:", "Step 133 (the failover step):")
_ROWS = "".join(
    f"<tr><td>INV-{1000 + n}</td><td>Customer {n}</td><td>{('paid', 'open', 'late')[n % 3]}</td>"
    f"<td><button>Open INV-{1000 + n}</button></td></tr>"
    for n in range(150)
)
_PAGE = f"<title>Invoices</title><h1>Invoices</h1><table><tr><th>No<th>Name<th>State<th>Action</tr>{_ROWS}</table>"
_MOST_LINES = 24


def run() -> int:
    """Run the demonstration; give 0 when all that it checks holds."""
    with tempfile.TemporaryDirectory(prefix="caveman-demo-") as folder:
        demo = _Demo(folder)
        try:
            return 0 if all([demo.reading(), demo.remembering(), demo.browsing()]) else 1
        finally:
            demo.quietly("tools", "browse", "close")


class _Demo:
    def __init__(self, folder: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CAVEMAN_")}
        for name in ("CAVEMAN_BROWSE_CHROME", "CAVEMAN_BROWSE_CDP"):
            if name in os.environ:
                kept[name] = os.environ[name]
        self._environment = {**kept, "CAVEMAN_HOME": folder, "PYTHONUTF8": "1"}

    def quietly(self, *words: str, data: bytes | None = None) -> "subprocess.CompletedProcess[bytes]":
        command = [sys.executable, "-c", "from caveman_app.main import main; main()", *words]
        return subprocess.run(command, env=self._environment, input=data, capture_output=True, check=False)

    def shown(self, *words: str, data: bytes | None = None) -> bytes:
        """Run one command and show it with what it prints."""
        typer.echo("$ " + shlex.join(["caveman", *words]))
        done = self.quietly(*words, data=data)
        text = done.stdout.decode("utf-8", "replace").rstrip("\n")
        lines = text.split("\n")
        if len(lines) > _MOST_LINES:
            cut = len(lines) - _MOST_LINES
            lines = [
                *lines[: _MOST_LINES // 2],
                f"      ({cut} more lines of the view)",
                *lines[-_MOST_LINES // 2 :],
            ]
        typer.echo("\n".join(line if len(line) <= 160 else line[:159] + "…" for line in lines))
        if done.returncode and done.stderr:
            typer.echo(done.stderr.decode("utf-8", "replace").rstrip("\n"))
        return done.stdout

    def reading(self) -> bool:
        typer.echo("-- A real log, read less and kept whole --")
        script = os.path.join(self._environment["CAVEMAN_HOME"], "serve.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(_SERVE)
        view = self.shown("tools", "shrink", "--", sys.executable, script)
        found = re.findall(rb"ccr_[0-9a-f]{32}", view)
        if not found:
            return _said("the log was made smaller", holds=False)
        handle = found[-1].decode()
        original = self.quietly("tools", "retrieve", handle).stdout
        typer.echo(f"$ caveman tools retrieve {handle} | wc -c\n{len(original)}")
        digest = hashlib.sha256(original).hexdigest()
        typer.echo(f"{len(original):,} bytes back, {len(view):,} shown; SHA-256 {digest[:32]}…")
        same = _said("the handle is the hash of what came back", holds=handle == "ccr_" + digest[:32])
        answer = self.shown("tools", "retrieve", handle, "no_such_module")
        return same and _said("a question finds its line in the original", holds=b"no_such_module" in answer)

    def remembering(self) -> bool:
        typer.echo("\n-- Facts that last --")
        for fact in _FACTS:
            self.shown("mem", "remember", fact)
        self.quietly("mem", "remember", "--stdin", data=_RUNBOOK.encode())
        typer.echo(f"$ caveman mem remember --stdin < runbook.txt      ({len(_RUNBOOK):,} bytes)")
        answer = self.shown("mem", "recall", "what port is the cache on")
        found = _said("the question finds its fact", holds=b"7001" in answer)
        answer = self.shown("mem", "recall", "failover step", "--budget", "300")
        handles = re.findall(rb"(?:mem_[0-9a-f]{16}|ccr_[0-9a-f]{32})", answer)
        if not handles:
            return _said("the runbook is found", holds=False)
        whole = self.quietly("mem", "recover", handles[-1].decode()).stdout
        typer.echo(f"$ caveman mem recover {handles[-1].decode()} | wc -c\n{len(whole)}")
        return (
            _said(
                "the long fact comes back byte for byte", holds=whole.rstrip() == _RUNBOOK.encode().rstrip()
            )
            and found
        )

    def browsing(self) -> bool:
        typer.echo("\n-- A page, as an agent sees it --")
        from caveman_browser import chrome, errors

        try:
            chrome.find()
        except errors.BrowserError as error:
            typer.echo(f"no Chrome here, so this part is left out: {error.hint}")
            return True
        with _Site() as address:
            page = self.shown("tools", "browse", address, "INV-1137")
        return _said("the row that was asked for is seen", holds=b"INV-1137" in page)


class _Site:
    """A page of 150 rows on loopback."""

    def __enter__(self) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(_PAGE.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}/invoices"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _said(what: str, *, holds: bool) -> bool:
    typer.echo(f"{'holds' if holds else 'FAILS'}: {what}")
    return holds
