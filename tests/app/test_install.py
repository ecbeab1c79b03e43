import json
import os
import subprocess
import sys

import pytest

from caveman_app import hosts, install, jsonc
from caveman_app.hosts import Edit, File

ALL = ["claude", "claude-desktop", "codex", "gemini", "cursor", "opencode"]
OWN_JSON = '{\n  // my model\n  "model": "big",\n  "mcpServers": {\n    "mine": {"command": "x"}\n  },\n  "mcp": {},\n  "n": 1\n}\n'
OWN_TOML = '# mine\nmodel = "big"\n\n[mcp_servers.mine]\ncommand = "x"  # keep\n'


def named(name):
    return hosts.chosen([name])[0]


def settings_of(name):
    return hosts.server_files(named(name))[0]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.fixture(autouse=True)
def _home(home):
    return home


@pytest.mark.parametrize("name", ALL)
def test_a_second_install_changes_nothing(name):
    files = hosts.server_files(named(name), permissions=True)
    assert all(change.diff for change in install.install(files, "mcp"))
    assert [change.diff for change in install.install(files, "mcp")] == [""] * len(files)


@pytest.mark.parametrize("name", ALL)
def test_a_dry_run_shows_the_diff_and_writes_nothing(name):
    file = settings_of(name)
    (change,) = install.install([file], "mcp", dry_run=True)
    assert "+" in change.diff
    assert not os.path.exists(file.path)


@pytest.mark.parametrize("name", ALL)
def test_install_then_uninstall_gives_the_same_bytes_agt_33(name):
    file = settings_of(name)
    own = OWN_TOML if file.form == "toml" else OWN_JSON
    write(file.path, own)
    os.chmod(file.path, 0o640)
    (change,) = install.install([file], "mcp")
    made = read(file.path).decode()
    assert all(
        line in made for line in own.splitlines() if "mine" in line or "my model" in line or "keep" in line
    )
    assert install.value_at(file, file.edits[0]) == file.edits[0].value
    assert read(change.backup).decode() == own
    assert os.stat(file.path).st_mode & 0o777 == 0o640
    install.uninstall("mcp")
    assert read(file.path).decode() == own
    assert install.installed("mcp") == []


@pytest.mark.parametrize("name", ALL)
def test_a_hand_edit_stays_and_our_entries_go_agt_33(name):
    file = settings_of(name)
    own = OWN_TOML if file.form == "toml" else OWN_JSON
    write(file.path, own)
    install.install([file], "mcp")
    write(file.path, read(file.path).replace(b'"big"', b'"small"'))
    install.uninstall("mcp")
    left = read(file.path).decode()
    assert "caveman" not in left
    assert '"small"' in left
    if file.form == "json":
        assert jsonc.loads(left) == {**jsonc.loads(own), "model": "small"}
        assert left == own.replace('"big"', '"small"')


@pytest.mark.parametrize("name", ALL)
def test_an_entry_that_someone_changed_is_refused_and_left(name):
    file = settings_of(name)
    install.install([file], "mcp")
    write(file.path, read(file.path).replace(b"caveman-mcp", b"caveman-other"))
    before = read(file.path)
    with pytest.raises(install.NotOurs):
        install.uninstall("mcp")
    assert read(file.path) == before


@pytest.mark.parametrize("name", ALL)
def test_a_file_that_was_not_there_is_gone_again(name):
    files = hosts.server_files(named(name), permissions=True)
    install.install(files, "mcp")
    install.uninstall("mcp")
    assert not any(os.path.exists(file.path) for file in files)


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "opencode"])
def test_hooks_come_and_go_beside_own_ones(name):
    (file,) = hosts.hook_files(named(name))
    if file.form == "json":
        own = '{"hooks": {"PreToolUse": [{"matcher": "Edit", "hooks": []}]}, "a": 1}\n'
        write(file.path, own)
    install.install([file], "hooks")
    assert b"hooks run" in read(file.path) or b'"hooks", "run"' in read(file.path)
    install.uninstall("hooks")
    assert (read(file.path).decode() == own) if file.form == "json" else not os.path.exists(file.path)


def test_server_rules_and_hooks_of_one_file_are_taken_out_in_any_order():
    claude = named("claude")
    servers, hook = hosts.server_files(claude, permissions=True), hosts.hook_files(claude)
    target = hook[0].path
    write(target, '{\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n')
    before = read(target)
    install.install(servers, "mcp")
    install.install(hook, "hooks")
    install.uninstall("mcp")
    assert b"mcp__caveman" not in read(target)
    assert b"tools hooks run" in read(target)
    install.uninstall("hooks")
    assert read(target) == before


def test_a_rule_that_the_owner_had_already_stays():
    claude = named("claude")
    files = hosts.server_files(claude, permissions=True)
    write(
        files[1].path,
        '{\n  "permissions": {\n    "allow": [\n      "mcp__caveman__mem_recall"\n    ]\n  }\n}\n',
    )
    install.install(files, "mcp")
    write(files[1].path, read(files[1].path) + b"\n")
    install.uninstall("mcp")
    assert jsonc.loads(read(files[1].path).decode()) == {
        "permissions": {"allow": ["mcp__caveman__mem_recall"]}
    }


def test_an_entry_of_our_name_that_is_not_ours_is_refused():
    file = settings_of("cursor")
    write(file.path, '{"mcpServers": {"caveman": {"command": "other"}}}')
    with pytest.raises(install.NotOurs):
        install.install([file], "mcp")
    assert json.loads(read(file.path)) == {"mcpServers": {"caveman": {"command": "other"}}}


@pytest.mark.parametrize("data", [b"caf\xe9\n", b"{broken", b'{"mcpServers": 7}'])
@pytest.mark.parametrize("name", ["cursor", "codex"])
def test_a_file_that_cannot_be_edited_without_loss_is_refused_and_unchanged_agt_34(name, data):
    file = settings_of(name)
    write(file.path, data)
    with pytest.raises(install.NoSettings):
        install.install([file], "mcp")
    assert read(file.path) == data


@pytest.mark.slow
def test_two_processes_that_install_at_once_leave_a_whole_file_agt_35():
    file = settings_of("cursor")
    write(file.path, OWN_JSON)
    program = (
        "from caveman_app import hosts, install\n"
        "f = hosts.server_files(hosts.chosen(['cursor'])[0])\n"
        "for n in range(20): (install.uninstall('mcp') if n % 2 else install.install(f, 'mcp'))"
    )
    both = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    (edit,) = file.edits
    assert read(file.path).decode() in (OWN_JSON, jsonc.put(OWN_JSON, edit.path, edit.value))
    assert sorted(os.listdir(os.path.dirname(file.path))) == ["mcp.json"]


def test_a_text_file_of_someone_else_is_not_overwritten(tmp_path):
    file = File(str(tmp_path / "plugin.js"), (Edit((), "ours"),), "text")
    write(file.path, "theirs")
    with pytest.raises(install.NotOurs):
        install.install([file], "hooks")


def test_an_entry_that_was_changed_keeps_no_other_file_from_being_put_back():
    changed, other = settings_of("cursor"), settings_of("gemini")
    install.install([changed, other], "mcp")
    write(changed.path, read(changed.path).replace(b"caveman-mcp", b"caveman-other"))
    with pytest.raises(install.NotOurs):
        install.uninstall("mcp")
    assert not os.path.exists(other.path)
    assert install.installed("mcp") == [changed.path]
