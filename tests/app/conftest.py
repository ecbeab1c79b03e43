import json
import os
import subprocess
import sys

import pytest


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
