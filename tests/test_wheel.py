"""The built wheel, installed in a fresh environment, gives every command and the whole main job."""

import json
import os
import pathlib
import subprocess
import sys
import venv
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
LOG = b"".join(b"INFO step %d ok\n" % n for n in range(1, 2001))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    place = tmp_path_factory.mktemp("fresh")
    venv.create(place, with_pip=True)
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run(
        [scripts / "python", "-m", "pip", "install", "-q", str(wheel)], check=True, capture_output=True
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith(("CAVEMAN_", "PYTHON"))}
    env |= {"CAVEMAN_HOME": str(place / "home"), "PYTHONUTF8": "1"}
    return lambda name, *args, **extra: subprocess.run(
        [scripts / name, *args], env=env, cwd=place, capture_output=True, timeout=120, check=False, **extra
    )


def test_the_wheel_holds_the_four_packages_their_data_and_no_test(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"caveman_engine", "caveman_mem", "caveman_browser", "caveman_app"}
    assert sum(name.endswith("/py.typed") for name in names) == 4
    assert any(name.endswith(".sql") for name in names)


@pytest.mark.parametrize("name", ["caveman", "cavemem", "caveman-engine", "caveman-browse", "caveman-shrink"])
def test_every_command_shows_help(installed, name):
    shown = installed(name, "--help")
    assert shown.returncode == 0, shown.stderr
    assert b"Usage" in shown.stdout


def test_the_main_job_works_from_the_wheel(installed):
    report = json.loads(installed("caveman", "tools", "compress", "--json", input=LOG).stdout)
    assert installed("caveman", "tools", "retrieve", report["recovery_handle"]).stdout == LOG
    assert installed("caveman", "mem", "remember", "The cache answers on port 7001").returncode == 0
    assert b"7001" in installed("caveman", "mem", "recall", "which port is the cache on").stdout


def test_the_server_answers_from_the_wheel(installed):
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    shown = installed("caveman-mcp", input=json.dumps(hello).encode() + b"\n")
    assert json.loads(shown.stdout.splitlines()[0])["result"]["serverInfo"]["name"]
