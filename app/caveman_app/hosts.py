"""The agents that the toolkit can be registered with: where each keeps its settings, and in what form.

From the agents' public documentation. Describes edits and does none.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from shutil import which
from typing import Any

from caveman_engine.errors import UsageError

NAME = "caveman"
READ_TOOLS = (
    "mem_recall",
    "mem_list",
    "mem_history",
    "mem_recover",
    "caveman_compress",
    "caveman_retrieve",
    "caveman_stats",
    "caveman_toon_encode",
    "caveman_toon_decode",
    "browser_snapshot",
    "browser_find",
)
ASK_TOOLS = ("mem_forget", "browser_act", "browser_eval")
# Any shell can also run these; the server's own permissions do not reach that far.
DENY_COMMANDS = tuple(
    f"{command} {verb}" for command in ("caveman tools browse", "caveman-browse") for verb in ("act", "eval")
)


_CLAUDE_EVENTS = (
    ("PreToolUse", "pre-tool", "Bash"),
    ("UserPromptSubmit", "prompt", None),
    ("SessionStart", "session-start", None),
)
_GEMINI_EVENTS = (
    ("BeforeTool", "pre-tool", "run_shell_command"),
    ("BeforeAgent", "prompt", None),
    ("SessionStart", "session-start", None),
)
# Settings file, time limit in the agent's own unit, and its names for our events.
_EVENTS = {
    "claude": ("settings.json", 5, _CLAUDE_EVENTS),
    "codex": ("hooks.json", 5, _CLAUDE_EVENTS),
    "gemini": ("settings.json", 5000, _GEMINI_EVENTS),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a settings file: set the member at ``path``, or with ``append`` add to the array there."""

    path: tuple[str, ...]
    value: Any
    append: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """A settings file with its edits. ``form``: json (comments allowed), toml, or text (the value is the file)."""

    path: str
    edits: tuple[Edit, ...]
    form: str = "json"


@dataclass(frozen=True, slots=True)
class Host:
    """One agent. ``folder`` is there when the agent is installed."""

    name: str
    title: str
    folder: str

    @property
    def present(self) -> bool:
        """Tell whether the agent's settings folder exists on this machine."""
        return os.path.isdir(self.folder)


def hosts() -> tuple[Host, ...]:
    """Give all agents that are known, present or not."""
    return (
        Host("claude", "Claude Code", _claude()),
        Host("claude-desktop", "Claude Desktop", _claude_desktop()),
        Host("codex", "Codex", _codex()),
        Host("gemini", "Gemini CLI", _user(".gemini")),
        Host("cursor", "Cursor", _user(".cursor")),
        Host("opencode", "opencode", _opencode()),
    )


def chosen(names: Sequence[str]) -> list[Host]:
    """Give the named agents, or those present when none is named.

    Raises:
        UsageError: an agent that is not known.
    """
    known = {host.name: host for host in hosts()}
    for name in names:
        if name not in known:
            raise UsageError(f"no agent is called {name!r}", hint="agents: " + ", ".join(known))
    return [known[name] for name in names] if names else [host for host in known.values() if host.present]


def server_files(host: Host, *, permissions: bool = False) -> tuple[File, ...]:
    """Give the edits that register the MCP server, and with ``permissions`` the agent's own rules for its tools."""
    command = program("caveman-mcp")
    plain = {"command": command, "args": []}
    if host.name == "claude":
        entry = File(_claude_json(), (Edit(("mcpServers", NAME), {"type": "stdio", **plain}),))
        return (
            (entry, File(os.path.join(host.folder, "settings.json"), _claude_rules()))
            if permissions
            else (entry,)
        )
    if host.name == "codex":
        return (
            File(os.path.join(host.folder, "config.toml"), (Edit(("mcp_servers", NAME), plain),), "toml"),
        )
    if host.name == "opencode":
        entry_edit = Edit(("mcp", NAME), {"type": "local", "command": [command], "enabled": True})
        edits = (entry_edit, *_opencode_rules()) if permissions else (entry_edit,)
        return (File(_opencode_json(host.folder), edits),)
    file = {"claude-desktop": "claude_desktop_config.json", "gemini": "settings.json", "cursor": "mcp.json"}[
        host.name
    ]
    return (File(os.path.join(host.folder, file), (Edit(("mcpServers", NAME), plain),)),)


def hook_files(host: Host) -> tuple[File, ...]:
    """Give the edits that make the agent call our hooks; none for an agent without hooks."""
    if host.name == "opencode":
        target = os.path.join(host.folder, "plugins", "caveman.js")
        return (File(target, (Edit((), _plugin()),), "text"),)
    if host.name not in _EVENTS:
        return ()
    file, seconds, events = _EVENTS[host.name]
    edits = []
    for name, event, matcher in events:
        call = {"type": "command", "command": hook_command(host.name, event), "timeout": seconds}
        group = {"matcher": matcher, "hooks": [call]} if matcher else {"hooks": [call]}
        edits.append(Edit(("hooks", name), group, append=True))
    return (File(os.path.join(host.folder, file), tuple(edits)),)


def hook_command(host: str, event: str) -> str:
    """Give the shell line that a host runs for one event."""
    from shlex import quote

    return f"{quote(program('caveman'))} tools hooks run {host} {event}"


def program(name: str) -> str:
    """Give the absolute path of one of our commands: agents are started with other PATHs than a terminal's."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), name)
    for candidate in (beside, beside + ".exe"):
        if os.path.exists(candidate):
            return candidate
    return which(name) or name


def _user(*parts: str) -> str:
    return os.path.join(os.path.expanduser("~"), *parts)


def _claude() -> str:
    return os.environ.get("CLAUDE_CONFIG_DIR") or _user(".claude")


def _claude_json() -> str:
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return os.path.join(named, ".claude.json") if named else _user(".claude.json")


def _claude_desktop() -> str:
    if sys.platform == "darwin":
        return _user("Library", "Application Support", "Claude")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA") or _user("AppData", "Roaming"), "Claude")
    return os.path.join(_config(), "Claude")


def _codex() -> str:
    return os.environ.get("CODEX_HOME") or _user(".codex")


def _config() -> str:
    return os.environ.get("XDG_CONFIG_HOME") or _user(".config")


def _opencode() -> str:
    return os.path.join(_config(), "opencode")


def _opencode_json(folder: str) -> str:
    with_comments = os.path.join(folder, "opencode.jsonc")
    return with_comments if os.path.exists(with_comments) else os.path.join(folder, "opencode.json")


def _claude_rules() -> tuple[Edit, ...]:
    rules = [Edit(("permissions", "allow"), f"mcp__{NAME}__{tool}", append=True) for tool in READ_TOOLS]
    rules += [Edit(("permissions", "ask"), f"mcp__{NAME}__{tool}", append=True) for tool in ASK_TOOLS]
    rules += [Edit(("permissions", "deny"), f"Bash({command}:*)", append=True) for command in DENY_COMMANDS]
    return tuple(rules)


def _opencode_rules() -> tuple[Edit, ...]:
    rules = [Edit(("permission", f"{NAME}_{tool}"), "ask") for tool in ASK_TOOLS]
    return (*rules, *(Edit(("permission", "bash", f"{command} *"), "deny") for command in DENY_COMMANDS))


def _plugin() -> str:
    """Give opencode's plugin: it asks our hook about each shell command and takes over a rewritten one."""
    import json

    command = json.dumps(program("caveman"))
    return f"""// Written by `caveman tools hooks install`; `caveman tools hooks uninstall` removes it.
import {{ spawnSync }} from "node:child_process"

export const Caveman = async () => ({{
  "tool.execute.before": async (input, output) => {{
    if (input.tool !== "bash") return
    const asked = JSON.stringify({{ tool_name: "bash", tool_input: output.args }})
    const args = ["tools", "hooks", "run", "opencode", "pre-tool"]
    const done = spawnSync({command}, args, {{ input: asked, encoding: "utf8", timeout: 3000 }})
    try {{
      output.args.command = JSON.parse(done.stdout).hookSpecificOutput.updatedInput.command
    }} catch {{}}
  }},
}})
"""
