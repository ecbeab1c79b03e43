import subprocess
import sys

import pytest

TOOLS = (
    "compress",
    "retrieve",
    "detect",
    "simulate",
    "toon",
    "ccr",
    "shrink",
    "browse",
    "mem",
    "mcp",
    "hooks",
)
OWN = ("mem", "tools", "stats", "doctor", "config", "telemetry", "remove", "demo", "version")


def test_every_command_is_listed_with_its_summary(caveman):
    listed = caveman("--help").stdout.decode()
    assert all(f"\n  {name} " in listed for name in OWN)
    listed = caveman("tools", "--help").stdout.decode()
    assert all(f"\n  {name} " in listed for name in TOOLS)


@pytest.mark.parametrize("path", [*[("tools", name) for name in TOOLS], *[(name,) for name in OWN]])
def test_every_command_explains_itself(caveman, path):
    done = caveman(*path, "--help")
    assert done.returncode == 0, done.stderr
    assert b"Usage: caveman " + " ".join(path).encode() in done.stdout


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (("tool",), b"'tools'"),
        (("tools", "compres"), b"'compress'"),
        (("docter",), b"'doctor'"),
        (("mem", "recal"), b"recall"),
    ],
)
def test_a_typo_suggests_the_nearest_command(caveman, args, meant):
    done = caveman(*args)
    assert done.returncode == 2
    assert meant in done.stderr


def test_completion_offers_commands_without_loading_parts(home):
    env = {
        "_CAVEMAN_COMPLETE": "complete_bash",
        "COMP_WORDS": "caveman tools sh",
        "COMP_CWORD": "2",
        "PATH": "/usr/bin",
    }
    done = subprocess.run(
        [sys.executable, "-c", "from caveman_app.cli import run; run()"],
        capture_output=True,
        text=True,
        env=env,
        timeout=60,
    )
    assert done.stdout.split() == ["shrink"]


def test_the_same_command_stands_under_both_names(caveman):
    assert caveman("tools", "mem", "remember", "the lamp hangs in room 7").returncode == 0
    assert b"room 7" in caveman("mem", "recall", "where is the lamp").stdout
