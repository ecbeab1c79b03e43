"""The command as a user runs it: real processes, one host, one Chrome."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from caveman_browser import client

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-c", "from caveman_browser.cli import main; main()"]


@pytest.fixture
def browse(home):
    """Run the command with a home of the test's own; end its hosts afterwards."""

    def browse(*arguments, **environment):
        return subprocess.run(
            [*COMMAND, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=90,
            env={**os.environ, **environment},
        )

    yield browse
    for entry in (home / "browser").glob("host*.json") if (home / "browser").is_dir() else ():
        browse("close", *(["--profile", entry.stem[5:]] if entry.stem != "host" else []))


def host_pid():
    return client.read_address(None)["pid"]


def running():
    """Give the parents of all processes that run."""
    rows = subprocess.run(["ps", "-eo", "pid,ppid,stat"], capture_output=True, text=True).stdout.splitlines()[
        1:
    ]
    return {int(row.split()[0]): int(row.split()[1]) for row in rows if "Z" not in row.split()[2]}


def alive(pid):
    """Give the processes of a host: itself and everything below it."""
    parents = running()
    found = {pid} & parents.keys()
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def gone(pids, seconds=3.0):
    """Wait until none of the processes runs any more."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not running().keys() & pids:
            return True
        time.sleep(0.05)
    return False


def test_brw_35_the_page_acted_on_is_seen_again_by_a_second_process(browse, serve, ref_of):
    url = serve("<button onclick=\"p.textContent='done'\">Go</button><p id=p>0</p>")
    shown = browse(url)
    assert shown.returncode == 0, shown.stderr
    ref = shown.stdout.split("[")[1].split("]")[0]
    acted = browse("act", ref, "click", "--allow", "click")
    assert "done" in acted.stdout
    again = browse()
    assert "done" in again.stdout
    assert len(json.loads(browse("tabs", "--json").stdout)["tabs"]) == 1


def test_brw_19_text_and_json_have_the_same_references(browse, serve):
    url = serve("<button>A</button><button>B</button><button>C</button>")
    text = browse(url).stdout
    found = json.loads(browse("--json").stdout)
    assert {ref for ref in found["refs"] if f"[{ref}]" in text} == set(found["refs"])
    assert found["handle"].startswith("ccr_")


def test_what_is_printed_comes_back_exactly_by_its_handle(browse, serve):
    shown = browse(serve("<p>exact</p>"))
    handle = shown.stderr.split("recover: ")[1].split()[0]
    assert browse("recover", handle).stdout == browse("recover").stdout
    assert "exact" in browse("recover").stdout


def test_an_unknown_handle_is_an_error_with_nothing_on_stdout(browse):
    missing = browse("recover", "ccr_" + "0" * 32)
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "cave_unknown_handle" in missing.stderr


@pytest.mark.parametrize(
    "arguments", [("act", "e1", "click"), ("eval", "1+1"), ("act", "e1", "click", "--json")]
)
def test_brw_54_a_write_without_a_grant_is_refused_before_any_process_starts(browse, home, arguments):
    refused = browse(*arguments)
    assert (refused.returncode, refused.stdout) == (78, "")
    assert "cave_browser_write_denied" in refused.stderr
    assert not (home / "browser").exists()


@pytest.mark.parametrize("url", ["file:///etc/hostname", "http://2852039166/", "javascript:alert(1)"])
def test_brw_61_a_refused_address_starts_nothing(browse, home, url):
    refused = browse(url)
    assert (refused.returncode, refused.stdout) == (78, "")
    assert not (home / "browser" / "host.json").exists()


def test_brw_51_without_a_browser_one_line_says_how_to_set_it(browse, serve, tmp_path):
    missing = browse(serve("x"), PATH=str(tmp_path))
    assert missing.returncode == 1
    assert "CAVEMAN_BROWSE_CHROME" in missing.stderr


def test_without_a_page_the_error_says_how_to_open_one(browse):
    nothing = browse()
    assert nothing.returncode == 1
    assert "cave_no_page" in nothing.stderr


def test_waiting_in_vain_ends_with_3(browse, serve):
    assert browse(serve("<p>x</p>"), "--wait-for", "never", "--timeout", "3").returncode == 3


def test_close_ends_every_process_and_forgets_the_page(browse, serve, home):
    browse(serve("<p>x</p>"))
    pids = alive(host_pid())
    assert len(pids) > 1
    assert browse("close").returncode == 0
    assert gone(pids)
    assert not (home / "browser" / "host.json").exists()
    assert os.listdir(home / "browser" / "temporary") == []
    assert browse("close").returncode == 0


def test_brw_48_a_killed_host_takes_its_chrome_along_and_the_next_command_starts_anew(browse, serve):
    url = serve("<p>x</p>")
    browse(url)
    pids, socket = alive(host_pid()), client.read_address(None)["listen"]
    os.kill(host_pid(), signal.SIGKILL)
    assert gone(pids)
    again = browse(url)
    assert not os.path.exists(os.path.dirname(socket))
    assert "started anew" in again.stdout
    assert again.returncode == 0


def test_brw_53_an_idle_host_ends_and_the_next_command_says_so(browse, serve):
    url = serve("<p>x</p>")
    browse(url, CAVEMAN_BROWSE_IDLE="1")
    pids, socket = alive(host_pid()), client.read_address(None)["listen"]
    assert gone(pids, 6)
    assert not os.path.exists(os.path.dirname(socket))
    assert "started anew" in browse(url).stdout


def test_the_address_file_and_the_socket_are_private(browse, serve, home):
    browse(serve("<p>x</p>"))
    found = client.read_address(None)
    assert (home / "browser" / "host.json").stat().st_mode & 0o777 == 0o600
    assert os.stat(found["listen"]).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(found["listen"])).st_mode & 0o777 == 0o700


def test_somebody_without_the_key_gets_nothing_and_the_host_lives_on(browse, serve):
    from multiprocessing import AuthenticationError
    from multiprocessing.connection import Client

    url = serve("<p>x</p>")
    browse(url)
    with pytest.raises((AuthenticationError, EOFError, OSError)):
        Client(client.read_address(None)["listen"], authkey=b"wrong")
    assert browse(url).returncode == 0


def test_two_commands_at_once_share_one_host(browse, serve, home):
    url = serve("<p>x</p>")
    running = [
        subprocess.Popen([*COMMAND, url], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
    ]
    assert [process.communicate(timeout=90) and process.returncode for process in running] == [0, 0, 0]
    assert len(os.listdir(home / "browser" / "temporary")) == 1


def test_grants_are_shown_with_why(browse):
    assert "no grant" in browse("grants").stdout
    assert browse("grants", "--allow", "click").stdout == "*: click (--allow)\n"


@pytest.mark.parametrize("arguments", [("--no-such",), ("act",), ("find",)])
def test_a_wrong_call_is_a_usage_error(browse, arguments):
    assert browse(*arguments).returncode == 2


def test_a_mistyped_command_is_a_usage_error_that_names_the_nearest(browse, home):
    wrong = browse("tbas")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean tabs?" in wrong.stderr
    assert not (home / "browser").exists()


def test_the_client_imports_little():
    script = "import caveman_browser.fast, sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    for heavy in ("typer", "websockets", "sqlite3", "subprocess", "asyncio", "caveman_browser.session"):
        assert f"'{heavy}'" not in loaded
