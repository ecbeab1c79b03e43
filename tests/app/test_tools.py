import os

import pytest


def test_an_install_shows_its_diff_and_where_the_backup_is(caveman):
    target = os.path.join(os.environ["HOME"], ".cursor", "mcp.json")
    own = '{\n  "mcpServers": {}\n}\n'
    os.makedirs(os.path.dirname(target))
    with open(target, "w") as file:
        file.write(own)
    done = caveman("tools", "mcp", "install")
    assert done.returncode == 0, done.stderr
    assert b'+    "caveman": {' in done.stdout
    backup = done.stderr.decode().partition("the file as it was: ")[2].strip()
    with open(backup) as file:
        assert file.read() == own
    assert b'-    "caveman": {' in caveman("tools", "mcp", "uninstall").stdout
    with open(target) as file:
        assert file.read() == own


def test_an_unknown_agent_is_a_usage_error_that_names_the_known(caveman):
    done = caveman("tools", "mcp", "install", "--agent", "nobody")
    assert done.returncode == 2
    assert b"claude-desktop" in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--type", "lgo", "--", "true"), b"there is no type 'lgo'"),
        (("--file", "x", "--", "true"), b"a command and --file at once"),
        (("--file", "/no/such/file"), b"cannot read the file"),
    ],
)
def test_a_shrink_that_cannot_be_says_why(caveman, args, said):
    done = caveman("tools", "shrink", *args)
    assert done.returncode in (1, 2)
    assert said in done.stderr


def test_options_of_the_command_are_its_own(caveman):
    done = caveman("tools", "shrink", "printf", "%s", "--raw")
    assert done.stdout == b"--raw"


def test_an_agent_without_hooks_is_told_so(caveman):
    done = caveman("tools", "hooks", "install", "--agent", "cursor")
    assert done.returncode == 2
    assert b"Cursor has no hooks" in done.stderr


def test_nothing_to_do_is_said(caveman):
    assert b"nothing to do" in caveman("tools", "mcp", "install").stderr
