import os

import pytest

from caveman_engine import config
from caveman_engine.errors import BadSetting, UsageError


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("CAVEMAN_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("CAVEMAN_HOME", str(folder))
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    return folder


def test_without_files_and_variables_every_key_has_its_default(home):
    settings = config.load()
    assert settings.get("engine.min_saving_tokens") == 50
    assert settings.get("engine.types.log") is True
    assert {setting.source for setting in settings.all()} == {"default"}


def test_the_file_beats_the_default_and_the_environment_beats_the_file(home, monkeypatch):
    (home / "config.toml").write_text("[engine]\nmin_saving_tokens = 80\n[mem]\nscope = 'work'\n")
    assert config.load().setting("engine.min_saving_tokens").source == str(home / "config.toml")
    monkeypatch.setenv("CAVEMAN_SCOPE", "elsewhere")
    setting = config.load().setting("mem.scope")
    assert (setting.value, setting.source) == ("elsewhere", "CAVEMAN_SCOPE")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[engine]\nmin_saving_token = 1\n", "engine.min_saving_tokens"),
        ("[engine.types]\nlgo = false\n", "engine.types.log"),
        ("[mem]\nscpe = 'x'\n", "mem.scope"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(home, text, hint):
    (home / "config.toml").write_text(text)
    with pytest.raises(BadSetting) as caught:
        config.load()
    assert hint in caught.value.hint
    assert caught.value.where == str(home / "config.toml")


@pytest.mark.parametrize(
    "text",
    [
        "[engine]\nmin_saving_share = 2\n",
        "[engine]\nmin_saving_tokens = -1\n",
        "[engine]\nmin_saving_tokens = true\n",
        "[mem]\nsecrets = 'maybe'\n",
        "[mcp]\ntools = ['mem', 'all']\n",
        "not toml",
    ],
)
def test_a_value_that_cannot_be_is_refused(home, text):
    (home / "config.toml").write_text(text)
    with pytest.raises(BadSetting):
        config.load()


def test_a_file_that_is_no_text_is_refused_and_not_rewritten(home):
    (home / "config.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(BadSetting):
        config.set_value("mem.scope", "work")
    assert (home / "config.toml").read_bytes() == b"# caf\xe9\n"


def test_a_project_can_make_things_more_cautious_and_nothing_else(home, tmp_path):
    project = tmp_path / "project"
    (project / ".caveman.toml").write_text(
        "[engine]\nmin_saving_tokens = 10\ntypes.log = false\n"
        "[mem]\nscope = 'other'\n[browser]\nchrome = '/tmp/evil'\n[mcp]\ntools = ['mem']\n"
    )
    (project / "deep").mkdir()
    settings = config.load(str(project / "deep"))
    assert settings.get("engine.types.log") is False
    assert settings.get("mcp.tools") == ["mem"]
    assert settings.get("engine.min_saving_tokens") == 50
    assert settings.get("browser.chrome") is None
    assert {name for name, _ in settings.ignored} == {
        "engine.min_saving_tokens",
        "mem.scope",
        "browser.chrome",
    }


def test_a_project_file_beyond_the_repository_is_not_read(home, tmp_path):
    (tmp_path / ".caveman.toml").write_text("[engine.types]\nlog = false\n")
    assert config.load().get("engine.types.log") is True


def test_set_keeps_comments_and_order(home):
    (home / "config.toml").write_text("# mine\n[mem]\nscope = 'a' # why\n")
    config.set_value("mem.scope", "b")
    config.set_value("engine.types.log", "false")
    text = (home / "config.toml").read_text()
    assert text.startswith("# mine\n[mem]\nscope = ")
    assert "# why" in text
    assert config.load().get("mem.scope") == "b"
    assert config.load().get("engine.types.log") is False


def test_set_refuses_a_key_that_nobody_reads(home):
    with pytest.raises(UsageError) as caught:
        config.set_value("mem.scop", "b")
    assert caught.value.hint == "did you mean mem.scope?"
    assert not (home / "config.toml").exists()


def test_set_makes_a_private_file(home):
    config.set_value("mem.scope", "b")
    assert (home / "config.toml").stat().st_mode & 0o777 == 0o600
