import json
import os
import subprocess
import sys
import time

import pytest

from caveman_app import hooks

TOOLS = {"claude": "Bash", "codex": "Bash", "gemini": "run_shell_command", "opencode": "bash"}


def call(host, command, **more):
    return {
        "tool_name": TOOLS[host],
        "tool_input": {"command": command, "description": "d"},
        "cwd": "/",
        **more,
    }


def answered(capsys, *args):
    assert hooks.run_hook(*args) == 0
    return capsys.readouterr()


@pytest.fixture(autouse=True)
def here(home, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/" + name)


@pytest.mark.parametrize(
    ("args", "data"),
    [
        (["claude", "pre-tool"], b""),
        (["claude", "pre-tool"], b"not json"),
        (["claude", "pre-tool"], b"[]"),
        (["claude", "pre-tool"], json.dumps({"tool_name": "Bash"}).encode()),
        (["claude", "pre-tool"], json.dumps(call("claude", "ls")).encode()),
        (["claude", "pre-tool"], json.dumps({**call("claude", "pytest"), "tool_name": "Read"}).encode()),
        (["claude", "no-such-event"], b"{}"),
        (["nobody", "pre-tool"], b"{}"),
        ([], b"{}"),
    ],
)
def test_what_is_left_alone_is_silent_and_ends_with_0_agt_28_29(capsys, args, data):
    shown = answered(capsys, args, data)
    assert (shown.out, shown.err) == ("", "")


@pytest.mark.parametrize("host", ["claude", "codex", "opencode"])
def test_a_noisy_command_is_prefixed_and_the_rest_of_the_call_stays_agt_29(capsys, host):
    data = json.dumps(call(host, "FOO=1 pytest -q 'a b'")).encode()
    said = json.loads(answered(capsys, [host, "pre-tool"], data).out)["hookSpecificOutput"]
    assert said["updatedInput"] == {
        "command": "FOO=1 caveman tools shrink -- pytest -q 'a b'",
        "description": "d",
    }
    assert said["hookEventName"] == "PreToolUse"


def test_gemini_gets_the_rewritten_arguments_under_its_own_name(capsys):
    data = json.dumps(call("gemini", "pytest")).encode()
    said = json.loads(answered(capsys, ["gemini", "pre-tool"], data).out)["hookSpecificOutput"]
    assert said["tool_input"]["command"] == "caveman tools shrink -- pytest"


def test_no_permission_is_given_where_the_host_takes_a_rewrite_without_agt_36(capsys):
    data = json.dumps(call("claude", "pytest")).encode()
    assert "permissionDecision" not in answered(capsys, ["claude", "pre-tool"], data).out


@pytest.mark.parametrize(
    ("host", "file", "settings"),
    [
        ("claude", ".claude/settings.json", {"permissions": {"deny": ["Bash(npm:*)"]}}),
        ("claude", ".claude/settings.json", {"permissions": {"ask": ["Bash(npm install *)"]}}),
        ("claude", ".claude/settings.json", {"permissions": {"ask": ["Bash"]}}),
        ("gemini", ".gemini/settings.json", {"tools": {"exclude": ["run_shell_command(npm)"]}}),
        (
            "opencode",
            ".config/opencode/opencode.json",
            {"permission": {"bash": {"*": "ask", "npm *": "deny"}}},
        ),
    ],
)
def test_a_command_that_the_hosts_rules_name_is_not_taken_out_of_their_sight_agt_36(
    capsys, host, file, settings
):
    target = os.path.join(os.environ["HOME"], file)
    os.makedirs(os.path.dirname(target))
    with open(target, "w") as opened:
        json.dump(settings, opened)
    shown = answered(capsys, [host, "pre-tool"], json.dumps(call(host, "npm install")).encode())
    assert shown.out == ""
    if "Bash" not in settings.get("permissions", {}).get("ask", []):
        assert answered(capsys, [host, "pre-tool"], json.dumps(call(host, "pytest")).encode()).out


def test_a_program_that_codexs_rule_files_name_is_left_alone(capsys):
    rules = os.path.join(os.environ["HOME"], ".codex", "rules")
    os.makedirs(rules)
    with open(os.path.join(rules, "default.rules"), "w") as opened:
        opened.write('prefix_rule(pattern=["npm", "install"], decision="prompt")\n')
    assert (
        answered(capsys, ["codex", "pre-tool"], json.dumps(call("codex", "npm install")).encode()).out == ""
    )


def test_a_background_command_is_left_alone(capsys):
    data = call("claude", "pytest")
    data["tool_input"]["run_in_background"] = True
    assert answered(capsys, ["claude", "pre-tool"], json.dumps(data).encode()).out == ""


def test_settings_that_cannot_be_read_mean_hands_off(capsys):
    os.makedirs(os.path.join(os.environ["HOME"], ".claude"))
    with open(os.path.join(os.environ["HOME"], ".claude", "settings.json"), "w") as opened:
        opened.write("{broken")
    assert answered(capsys, ["claude", "pre-tool"], json.dumps(call("claude", "pytest")).encode()).out == ""


def test_a_hook_is_quick_and_silent_among_sibling_folders_agt_30(home, tmp_path):
    for n in range(16):
        (tmp_path / f"sibling{n}").mkdir()
    data = json.dumps(call("claude", "ls")).encode()
    times = []
    for _ in range(4):
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", "from caveman_app.cli import run; run()", "tools", "hooks", "run", "claude", "pre-tool"],
            input=data, capture_output=True, cwd=tmp_path,
        )  # fmt: skip
        times.append(time.monotonic() - begun)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert min(times) < 1.0  # 0.03 s on an idle machine


def test_the_hook_path_loads_no_command_line_library(home):
    program = (
        "import sys\nfrom caveman_app.cli import run\n"
        "try: run(['tools', 'hooks', 'run', 'claude', 'pre-tool'])\nexcept SystemExit: pass\n"
        "print([m for m in ('typer', 'rich', 'mcp', 'sqlite3', 'subprocess') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(call("claude", "pytest")).encode(),
        capture_output=True,
    )
    assert done.stdout.splitlines()[-1] == b"[]"


def test_a_hundred_prompts_to_an_empty_memory_add_nothing_agt_16(capsys):
    for n in range(100):
        data = json.dumps({"prompt": f"message {n} " + "x" * 190, "cwd": "/"}).encode()
        assert answered(capsys, ["claude", "prompt"], data).out == ""


def test_facts_that_a_prompt_asks_for_come_with_a_caution_within_their_bound(capsys, tmp_path):
    from caveman_engine.tokens import count
    from caveman_mem.store import MemoryStore

    with MemoryStore.open() as store:
        for n in range(30):
            store.remember(
                f"The staging database number {n} listens on port {5400 + n} and is restarted every night"
            )
    data = json.dumps({"prompt": "which port has staging database 7?", "cwd": str(tmp_path)}).encode()
    said = json.loads(answered(capsys, ["claude", "prompt"], data).out)["hookSpecificOutput"]
    assert said["hookEventName"] == "UserPromptSubmit"
    assert "5407" in said["additionalContext"]
    assert "wrong or stale" in said["additionalContext"]
    assert count(said["additionalContext"]) <= hooks.PROMPT_TOKENS
    assert said["additionalContext"].count("\n- ") <= hooks.PROMPT_FACTS


def test_a_session_starts_with_pinned_then_newest_facts_within_its_bound(capsys, tmp_path):
    from caveman_engine.tokens import count
    from caveman_mem.store import MemoryStore

    with MemoryStore.open() as store:
        for n in range(60):
            store.remember(
                f"Decision {n}: the service number {n} keeps its own schema and its own migrations"
            )
    with MemoryStore.open() as store:
        store.edit(store.list(limit=3)[2].id, pinned=True)
    data = json.dumps({"source": "startup", "cwd": str(tmp_path)}).encode()
    said = json.loads(answered(capsys, ["claude", "session-start"], data).out)["hookSpecificOutput"]
    assert said["additionalContext"].split("\n")[1:3] == [
        f"- Decision {n}: the service number {n} keeps its own schema and its own migrations" for n in (2, 59)
    ]
    assert "Decision 1:" not in said["additionalContext"]
    assert count(said["additionalContext"]) <= hooks.SESSION_TOKENS


def test_a_failing_command_that_the_hook_rewrote_is_shrunk_and_still_fails_agt_52(
    capsys, tmp_path, monkeypatch
):
    steps = "for n in range(1, 3001): print('error: disk full' if n == 2100 else f'step {n} ok')\nraise SystemExit(1)"
    (tmp_path / "steps.py").write_text(steps)
    (tmp_path / "Makefile").write_text(f"test:\n\t@{sys.executable} steps.py\n")
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    asked = json.dumps(call("claude", "make test", cwd=str(tmp_path))).encode()
    line = json.loads(answered(capsys, ["claude", "pre-tool"], asked).out)["hookSpecificOutput"][
        "updatedInput"
    ]["command"]
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=tmp_path)
    plain = subprocess.run(["sh", "-c", "make test"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == plain.returncode != 0
    assert "error: disk full" in done.stdout
    assert len(done.stdout) < len(plain.stdout) / 10
