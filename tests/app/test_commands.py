import pytest


def test_the_version_is_printed(caveman, caveman_json):
    assert caveman("version").stdout.startswith(b"caveman-toolkit ")
    assert caveman_json("version", "--json")["version"]


@pytest.mark.parametrize("verb", ["status", "on", "off"])
def test_telemetry_says_that_there_is_none(caveman, verb):
    done = caveman("telemetry", verb)
    assert done.returncode == 0
    assert b"Nothing is ever sent" in done.stdout


def test_config_says_where_a_value_comes_from(caveman, caveman_json, home, monkeypatch):
    assert b"engine.min_saving_tokens = 50  (default)" in caveman("config", "get").stdout
    caveman("config", "set", "engine.min_saving_tokens", "80")
    (row,) = caveman_json("config", "get", "engine.min_saving_tokens", "--json")["settings"]
    assert row == {"key": "engine.min_saving_tokens", "value": 80, "source": str(home / "config.toml")}
    monkeypatch.setenv("CAVEMAN_MIN_SAVING_TOKENS", "90")
    done = caveman("config", "set", "engine.min_saving_tokens", "70")
    assert b"CAVEMAN_MIN_SAVING_TOKENS says 90, and that holds" in done.stderr


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (("config", "get", "mem.scop"), 2),
        (("config", "set", "mem.scop", "x"), 2),
        (("config", "set", "mem.secrets", "maybe"), 78),
    ],
)
def test_a_bad_setting_has_its_own_status(caveman, args, status):
    assert caveman(*args).returncode == status


def test_a_switched_off_type_passes_through(caveman, caveman_json, tmp_path):
    (tmp_path / "log").write_text("".join(f"INFO step {n} ok\n" for n in range(2000)))
    for kind in ("log", "terminal"):
        caveman("config", "set", f"engine.types.{kind}", "false")
    found = caveman_json("tools", "compress", str(tmp_path / "log"), "--type", "log", "--json")
    assert found["reason"] == "type_disabled"


def test_config_path_names_the_file(caveman, home):
    assert caveman("config", "path").stdout.decode().strip() == str(home / "config.toml")
