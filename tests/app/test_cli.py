import json
import subprocess
import sys

import pytest

PARTS = (
    "caveman_mem",
    "caveman_browser",
    "caveman_engine.engine",
    "sqlite3",
    "mcp",
    "rich",
    "tree_sitter",
    "rs_bpe",
)
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


def loaded_after(*args):
    program = (
        "import sys\nfrom caveman_app.cli import run\n"
        f"try: run({list(args)!r})\nexcept SystemExit: pass\n"
        f"print([p for p in {PARTS!r} if p in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "args", [["--help"], ["tools", "--help"], ["version"], ["telemetry", "status"], ["mme"]]
)
def test_help_and_small_commands_load_no_part(home, args):
    assert loaded_after(*args) == "[]"


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


def test_an_unknown_option_is_a_usage_error(caveman):
    assert caveman("stats", "--jsno").returncode == 2


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


def test_a_log_is_compressed_and_retrieved_by_the_commands(caveman, tmp_path):
    data = "".join(f"INFO step {n} ok\n" for n in range(2000)).encode()
    (tmp_path / "log").write_bytes(data)
    done = caveman("tools", "compress", str(tmp_path / "log"), "--json")
    handle = json.loads(done.stdout)["recovery_handle"]
    assert caveman("tools", "retrieve", handle).stdout == data


def test_an_error_is_one_object_with_json(caveman):
    done = caveman("tools", "retrieve", "ccr_" + "0" * 32, "--json")
    assert done.returncode == 1
    assert done.stdout == b""
    assert json.loads(done.stderr)["code"] == "cave_unknown_handle"
