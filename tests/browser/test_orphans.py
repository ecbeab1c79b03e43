"""Whatever is killed, and whenever: no Chrome of ours is left."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

PAGE = "data:text/html,<title>x</title><h1>Hello</h1>"
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    '"clientInfo":{"name":"t","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser_snapshot","arguments":{"url":"PAGE"}}}\n'
).replace("PAGE", PAGE)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are found by /proc"),
]


def ours(home):
    """Give the processes that were started with this test's home, Chrome and its children among them."""
    wanted = f"CAVEMAN_HOME={home}".encode()
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as variables, open(f"/proc/{pid}/cmdline", "rb") as line:
                if int(pid) != os.getpid() and wanted in variables.read().split(b"\0"):
                    found[int(pid)] = line.read()
        except OSError:
            continue  # it has ended, or is not ours to look at
    return found


def nothing_left(home, seconds=3.0):
    end = time.monotonic() + seconds
    while (left := ours(home)) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def end(process):
    process.kill()
    process.wait()


def test_a_host_killed_at_any_of_twenty_moments_leaves_no_chrome_brw_48(home):
    command = [sys.executable, "-c", "from caveman_browser.cli import main; main()", PAGE]
    moments = random.Random(48)
    chromes = 0
    for _ in range(20):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0.1, 1.6))
        end(run)
        chromes += any(b"--remote-debugging-pipe" in line for line in ours(home).values())
        for pid, line in ours(home).items():
            if b"caveman_browser.host" in line:
                os.kill(pid, signal.SIGKILL)
        assert not nothing_left(home)
    assert chromes >= 3, "no moment met a running Chrome"


@pytest.mark.parametrize("how", ["kill -9", "its stdin is closed"])
def test_a_server_that_ends_leaves_no_chrome_brw_48(home, how):
    command = [sys.executable, "-c", "from caveman_app.mcp import main; main()"]
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    server.stdin.write(HELLO)
    server.stdin.flush()
    replies = [server.stdout.readline(), server.stdout.readline()]
    assert "Hello" in replies[1]
    assert any(b"--remote-debugging-pipe" in line for line in ours(home).values())
    if how == "kill -9":
        end(server)
    else:
        server.stdin.close()
        assert server.wait(timeout=5) == 0
    assert not nothing_left(home)
