"""How far each agent is set up: its entry for the server, its hooks, and whether a hook answers as the host calls it.

Reads settings and runs our own hook lines; changes nothing.
"""

import json
import subprocess
from typing import Any

from caveman_app import hosts, install
from caveman_engine.errors import CavemanError

_PROBE = {
    "tool_input": {"command": "pytest -q"},
    "cwd": "/",
    "prompt": "",
    "session_id": "doctor",
}
_SECONDS = 10


def servers() -> list[dict[str, Any]]:
    """Give each agent's state: absent, off, on, other (an entry of our name that is not as install writes it)."""
    return [_row(host, lambda host: _compared(hosts.server_files(host))) for host in hosts.hosts()]


def hooks() -> list[dict[str, Any]]:
    """Give each agent's state: absent, none (it has no hooks), off, on, partial, broken (they do not answer)."""
    return [_row(host, _hooks) for host in hosts.hosts()]


def _row(host: hosts.Host, look: Any) -> dict[str, Any]:
    state, detail = ("absent", None) if not host.present else look(host)
    return {"agent": host.name, "state": state, "detail": detail}


def _compared(files: tuple[hosts.File, ...]) -> tuple[str, str | None]:
    """Compare what stands in the settings with what install would write."""
    wanted = [(file, edit) for file in files for edit in file.edits]
    try:
        found = [_has(file, edit) for file, edit in wanted]
    except CavemanError as error:
        return "broken", str(error)
    if all(found):
        return "on", files[0].path
    named = any(not edit.append and install.value_at(file, edit) is not None for file, edit in wanted)
    if named:
        return "other", f"{files[0].path}: an entry of our name with other contents"
    return ("partial", files[0].path) if any(found) else ("off", None)


def _has(file: hosts.File, edit: hosts.Edit) -> bool:
    there = install.value_at(file, edit)
    return edit.value in (there or ()) if edit.append else there == edit.value


def _hooks(host: hosts.Host) -> tuple[str, str | None]:
    files = hosts.hook_files(host)
    if not files:
        return "none", None
    state, detail = _compared(files)
    if state == "on" and (fault := _fault(host)):
        return "broken", fault
    return state, detail


def _fault(host: hosts.Host) -> str | None:
    """Run the pre-tool hook as the host would; say what is wrong with its answer."""
    line = hosts.hook_command(host.name, "pre-tool")
    tool = {"gemini": "run_shell_command", "opencode": "bash"}.get(host.name, "Bash")
    asked = json.dumps({**_PROBE, "tool_name": tool})
    try:
        done = subprocess.run(  # noqa: S602 - a host runs the line by a shell
            line, shell=True, input=asked, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {_SECONDS} s: {line}"
    if done.returncode != 0:
        return f"exit {done.returncode}: {line}: {done.stderr.strip()[:200]}"
    if "tools shrink --" not in done.stdout:
        return f"it does not rewrite: {line}"
    return None
