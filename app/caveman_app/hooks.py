"""What runs inside an agent's hooks: rewrite a noisy command, recall facts for a prompt, greet a session.

Owns each host's way to say it. A hook never fails its host: on any trouble it prints nothing and ends with 0. On the
start-up path of every tool call, so it loads json and little else.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from time import time_ns
from typing import Any

from caveman_engine.home import home

HOSTS = ("claude", "codex", "gemini", "opencode")
PROMPT_FACTS, PROMPT_TOKENS = 3, 300
SESSION_TOKENS = 400
_SESSION_FACTS = 40
# The name of each host's shell tool, and of the argument that holds the command line.
_SHELLS = {
    "claude": ("Bash",),
    "codex": ("Bash", "shell", "exec"),
    "gemini": ("run_shell_command",),
    "opencode": ("bash",),
}
_CAUTION = "Facts from earlier sessions; they can be wrong or stale:"


def run_hook(args: Sequence[str], data: bytes | None = None) -> int:
    """Answer one hook call: ``args`` are host and event, the host's JSON is on stdin. Always 0, silent on trouble."""
    events: dict[str, Callable[[str, dict[str, Any]], Any]] = {
        "pre-tool": pre_tool,
        "prompt": prompt,
        "session-start": session_start,
    }
    try:
        host, event = args
        payload = json.loads(sys.stdin.buffer.read() if data is None else data)
        answer = events[event](host, payload) if host in HOSTS else None
        if answer is not None:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    except Exception:  # noqa: BLE001, S110 - a hook that fails must not be felt
        pass
    return 0


def pre_tool(host: str, payload: dict[str, Any]) -> dict[str, Any] | None:
    """Give the host's answer that runs the command through the shrinker, or None to leave the call alone.

    No decision about permission goes with it where the host takes a rewrite without one: its own rules then look at
    the command line as rewritten. A command that the host's deny or ask rules name is left alone, so that prefixing
    never takes it out of their sight.
    """
    tool_input = payload.get("tool_input")
    if payload.get("tool_name") not in _SHELLS[host] or not isinstance(tool_input, dict):
        return None
    command = tool_input.get("command")
    if not isinstance(command, str) or tool_input.get("run_in_background") or tool_input.get("is_background"):
        return None
    from caveman_app.shell import program, shrinkable

    offset = shrinkable(command)
    if offset is None or _is_ruled(host, program(command[offset:]), str(payload.get("cwd") or os.getcwd())):
        return None
    rewritten = {**tool_input, "command": f"{command[:offset]}{_shrinker()} {command[offset:]}"}
    if host == "gemini":
        return {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": rewritten}}
    answer = {"hookEventName": "PreToolUse", "updatedInput": rewritten}
    if host == "codex":
        # Codex takes a rewrite only with this word; its approval then looks at the rewritten command all the same.
        answer["permissionDecision"] = "allow"
    return {"hookSpecificOutput": answer}


def prompt(host: str, payload: dict[str, Any]) -> dict[str, Any] | None:
    """Give up to three facts that the prompt asks for, within 300 tokens; None when there is none."""
    asked = payload.get("prompt")
    if not isinstance(asked, str) or not asked.strip():
        return None
    from caveman_engine.database import Database
    from caveman_mem import schema
    from caveman_mem.hits import load, surely_fits
    from caveman_mem.scopes import GLOBAL
    from caveman_mem.search import Filters, search

    _enter(payload)
    database = Database.open_read(schema.path(), schema.MIGRATIONS)
    if database is None:
        return None
    found, _ = search(database, asked, Filters(time_ns(), [_scope(), GLOBAL]))
    hits = load(database, found[:PROMPT_FACTS])
    event = {"gemini": "BeforeAgent"}.get(host, "UserPromptSubmit")
    while hits:
        lines = [f"- {hit.text}" for hit in hits]
        # By the counts that the memory keeps: loading the tokenizer would take longer than all the rest.
        if surely_fits(hits, "\n".join([_CAUTION, *lines]), PROMPT_TOKENS):
            return _context(host, event, lines)
        hits.pop()
    return _context(host, event, _passages(asked)) if found else None


def _passages(asked: str) -> list[str]:
    """Give what fits of facts that are too long or were never counted."""
    from caveman_mem.store import MemoryStore

    with MemoryStore.open() as store:
        found = store.recall(asked, limit=PROMPT_FACTS, budget=PROMPT_TOKENS - 40, scope=_scope())
    return [f"- {hit.text}" for hit in found.hits if hit.text]


def _scope() -> str:
    """Give the scope of memories here: the settings', else the project's."""
    from caveman_mem.scopes import scope_here

    if os.path.exists(os.path.join(home(), "config.toml")):
        from caveman_engine import config

        if named := config.load().get("mem.scope"):
            return str(named)
    return scope_here()


def session_start(host: str, payload: dict[str, Any]) -> dict[str, Any] | None:
    """Give the pinned and then the newest facts of the project, within 400 tokens; None when there is none."""
    from caveman_engine.tokens import count
    from caveman_mem.store import MemoryStore

    _enter(payload)
    with MemoryStore.open() as store:
        pinned = store.list(scope=_scope(), pinned=True, newest=True, limit=_SESSION_FACTS)
        newest = store.list(scope=_scope(), newest=True, limit=_SESSION_FACTS)
    lines: list[str] = []
    for line in dict.fromkeys(f"- {fact.text}" for fact in (*pinned, *newest)):
        if count("\n".join([_CAUTION, *lines, line])) <= SESSION_TOKENS:
            lines.append(line)
    return _context(host, "SessionStart", lines)


def _context(host: str, event: str, lines: list[str]) -> dict[str, Any] | None:
    if not lines or host == "opencode":
        return None
    text = "\n".join([_CAUTION, *lines])
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _enter(payload: dict[str, Any]) -> None:
    """Stand where the agent stands: the project, and so the scope, follows from it."""
    folder = payload.get("cwd")
    if isinstance(folder, str) and os.path.isdir(folder):
        os.chdir(folder)


def _shrinker() -> str:
    """Give the call of the shrinker as the agent's shell finds it."""
    from shutil import which

    own = os.path.abspath(sys.argv[0])
    if which("caveman"):
        return "caveman tools shrink --"
    from shlex import quote

    return f"{quote(own)} tools shrink --"


def _is_ruled(host: str, name: str, folder: str) -> bool:
    """Tell whether a deny or ask rule of the host speaks of the program."""
    return any(_names(rule, name) for rule in _RULES[host](folder))


def _names(rule: str, name: str) -> bool:
    """Tell whether a rule such as ``Bash(npm install:*)``, ``npm *`` or ``*`` covers a program."""
    inner = rule.partition("(")[2].rstrip(")") if "(" in rule else rule
    first = inner.split()[0].partition(":")[0] if inner.split() else "*"
    return (
        first in (name, "*")
        or (first.endswith("*") and name.startswith(first[:-1]))
        or rule in ("Bash", "bash")
    )


def _claude_rules(folder: str) -> list[str]:
    user = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    files = [os.path.join(user, "settings.json")]
    files += [os.path.join(folder, ".claude", name) for name in ("settings.json", "settings.local.json")]
    rules = []
    for file in files:
        permissions = _json(file).get("permissions") or {}
        rules += [*permissions.get("deny", []), *permissions.get("ask", [])]
    return [rule for rule in rules if isinstance(rule, str) and rule.startswith("Bash")]


def _gemini_rules(folder: str) -> list[str]:
    rules = []
    for base in (os.path.expanduser("~"), folder):
        settings = _json(os.path.join(base, ".gemini", "settings.json"))
        rules += [*(settings.get("tools") or {}).get("exclude", []), *settings.get("excludeTools", [])]
    return [
        rule
        for rule in rules
        if isinstance(rule, str) and rule.startswith(("run_shell_command(", "ShellTool("))
    ]


def _opencode_rules(folder: str) -> list[str]:
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    rules = []
    for file in (os.path.join(base, "opencode", "opencode.json"), os.path.join(folder, "opencode.json")):
        bash = (_json(file).get("permission") or {}).get("bash") or {}
        rules += [rule for rule, says in bash.items() if says != "allow"] if isinstance(bash, dict) else []
    # "*" is what holds for everything that no other rule names: the rewritten command too.
    return [rule for rule in rules if rule != "*"]


def _codex_rules(folder: str) -> list[str]:
    """Give every quoted word of the rule files: a program that they name is theirs."""
    import re

    home = os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    words: list[str] = []
    for base in (os.path.join(home, "rules"), os.path.join(folder, ".codex", "rules")):
        for name in os.listdir(base) if os.path.isdir(base) else ():
            with open(os.path.join(base, name), encoding="utf-8") as file:
                words += re.findall(r"\"([^\"\s]+)\"", file.read())
    return words


_RULES: dict[str, Callable[[str], list[str]]] = {
    "claude": _claude_rules,
    "codex": _codex_rules,
    "gemini": _gemini_rules,
    "opencode": _opencode_rules,
}


def _json(file: str) -> dict[str, Any]:
    """Read a settings file; one that is not there says nothing.

    Raises:
        ValueError: it cannot be read as JSON, so what it forbids is unknown, and nothing is rewritten.
    """
    if not os.path.exists(file):
        return {}
    from caveman_app.jsonc import loads

    with open(file, encoding="utf-8") as opened:
        value = loads(opened.read())
    return value if isinstance(value, dict) else {}
