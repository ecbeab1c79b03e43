import os


def test_remove_undoes_installs_and_leaves_the_data(caveman, home):
    target = os.path.join(os.environ["HOME"], ".claude", "settings.json")
    os.makedirs(os.path.dirname(target))
    with open(target, "w") as file:
        file.write('{"a": 1}\n')
    caveman("tools", "hooks", "install")
    caveman("tools", "mcp", "install")
    caveman("mem", "remember", "a fact that stays")
    assert caveman("remove").returncode == 0
    with open(target) as file:
        assert file.read() == '{"a": 1}\n'
    assert not os.path.exists(os.path.join(os.environ["HOME"], ".claude.json"))
    assert (home / "mem" / "mem.db").exists()


def test_remove_data_asks_and_takes_only_our_own_files(caveman, home):
    caveman("mem", "remember", "a fact that goes")
    (home / "notes.txt").write_text("mine")
    refused = caveman("remove", "--data")
    assert refused.returncode == 78
    assert (home / "mem" / "mem.db").exists()
    assert caveman("remove", "--data", "--yes").returncode == 0
    assert os.listdir(home) == ["notes.txt"]


def test_remove_data_takes_the_home_when_nothing_else_is_in_it(caveman, home):
    caveman("mem", "remember", "a fact that goes")
    caveman("remove", "--data", "--yes")
    assert not home.exists()
