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


def test_an_unknown_option_is_a_usage_error(caveman):
    assert caveman("stats", "--jsno").returncode == 2


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
