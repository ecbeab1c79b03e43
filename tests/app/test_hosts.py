import json
import os
import shutil
import subprocess

import pytest

from caveman_app import hooks, hosts
from caveman_engine.errors import UsageError


def test_every_host_with_hooks_has_an_answer_for_its_events():
    for host in hosts.hosts():
        for file in hosts.hook_files(host):
            if file.form == "json":
                assert {edit.path[0] for edit in file.edits} == {"hooks"}
                assert host.name in hooks.HOSTS


@pytest.fixture(autouse=True)
def _home(home):
    return home


def test_only_agents_that_are_there_are_chosen_when_none_is_named():
    assert hosts.chosen([]) == []
    os.makedirs(os.path.join(os.environ["HOME"], ".gemini"))
    assert [host.name for host in hosts.chosen([])] == ["gemini"]


def test_an_agent_that_is_not_known_is_refused():
    with pytest.raises(UsageError):
        hosts.chosen(["nobody"])


def test_folders_that_variables_move_are_followed(monkeypatch, tmp_path):
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    paths = [
        file.path for name in ("codex", "claude") for file in hosts.server_files(hosts.chosen([name])[0])
    ]
    assert paths == [str(tmp_path / "codex" / "config.toml"), str(tmp_path / "claude" / ".claude.json")]


def test_permission_rules_deny_acting_in_the_shell_and_allow_no_writing_tool():
    rules = hosts.server_files(hosts.chosen(["claude"])[0], permissions=True)[1].edits
    said = {edit.path[-1]: [other.value for other in rules if other.path == edit.path] for edit in rules}
    assert "Bash(caveman tools browse act:*)" in said["deny"]
    assert "mcp__caveman__mem_forget" in said["ask"]
    assert not {"mcp__caveman__" + name for name in hosts.ASK_TOOLS} & set(said["allow"])


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_plugin_for_opencode_runs_in_node_and_takes_over_a_rewritten_command(tmp_path):
    (file,) = hosts.hook_files(hosts.chosen(["opencode"])[0])
    (tmp_path / "plugin.mjs").write_text(file.edits[0].value)
    script = """
import { Caveman } from "./plugin.mjs"
const hooks = await Caveman({})
const said = []
for (const [tool, command] of [["bash", "pytest -q"], ["bash", "ls | wc"], ["read", "pytest"]]) {
  const output = { args: { command } }
  await hooks["tool.execute.before"]({ tool }, output)
  said.push(output.args.command)
}
console.log(JSON.stringify(said))
"""
    (tmp_path / "run.mjs").write_text(script)
    done = subprocess.run(["node", str(tmp_path / "run.mjs")], capture_output=True, text=True, timeout=60)
    first, *others = json.loads(done.stdout)
    assert first.endswith(" tools shrink -- pytest -q")
    assert others == ["ls | wc", "pytest"]
