import os

import pytest

from caveman_engine import home
from caveman_engine.errors import BadSetting


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("CAVEMAN_HOME", "CAVEMAN_CCR_DB", "CAVEMAN_CCR_MAX_BYTES", "CAVEMAN_EPHEMERAL"):
        monkeypatch.delenv(name, raising=False)


def test_without_settings_everything_lies_under_the_users_home(monkeypatch):
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("USERPROFILE", "/nowhere")
    assert home.home() == os.path.abspath("/nowhere/.caveman")
    assert home.ccr_path() == os.path.join(home.home(), "ccr.db")
    assert home.memory_ccr_path() == os.path.join(home.home(), "mem", "ccr.db")
    assert home.max_bytes() == 512 * 1024**2
    assert not home.ephemeral()


def test_a_tilde_is_expanded_and_a_relative_path_made_absolute(monkeypatch):
    monkeypatch.setenv("CAVEMAN_HOME", "~/c")
    assert home.home() == os.path.join(os.path.expanduser("~"), "c")
    monkeypatch.setenv("CAVEMAN_CCR_DB", "x.db")
    assert home.ccr_path() == os.path.abspath("x.db")


def test_the_named_database_does_not_move_the_memorys(monkeypatch, tmp_path):
    monkeypatch.setenv("CAVEMAN_HOME", str(tmp_path))
    monkeypatch.setenv("CAVEMAN_CCR_DB", "/elsewhere/x.db")
    assert home.memory_ccr_path() == str(tmp_path / "mem" / "ccr.db")


@pytest.mark.parametrize(
    ("value", "size"),
    [("1", 1), ("1000", 1000), ("2K", 2048), ("3m", 3 * 1024**2), (" 1 G ", 1024**3), ("007", 7)],
)
def test_a_size_may_have_a_suffix(monkeypatch, value, size):
    monkeypatch.setenv("CAVEMAN_CCR_MAX_BYTES", value)
    assert home.max_bytes() == size


@pytest.mark.parametrize(
    "value", ["", "0", "-5", "lots", "1.5G", "K", "1KB", "٣", "²", "0x10", "1e9", "9" * 30, "9" * 5000 + "G"]
)
def test_a_bad_size_names_the_variable_the_value_and_the_form(monkeypatch, value):
    monkeypatch.setenv("CAVEMAN_CCR_MAX_BYTES", value)
    with pytest.raises(BadSetting) as caught:
        home.max_bytes()
    assert "CAVEMAN_CCR_MAX_BYTES" in caught.value.what
    assert repr(value)[:20] in caught.value.what
    assert "512M" in caught.value.hint
    assert caught.value.exit_status == 78


@pytest.mark.parametrize(
    ("value", "answer"), [("1", True), ("yes", True), ("0", False), ("false", False), ("", False)]
)
def test_ephemeral_is_a_switch(monkeypatch, value, answer):
    monkeypatch.setenv("CAVEMAN_EPHEMERAL", value)
    assert home.ephemeral() is answer
