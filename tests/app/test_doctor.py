import os

import pytest

from caveman_app import doctor, hosts, install
from caveman_engine import detect


@pytest.fixture
def rows(home):
    def look():
        return {(row.part, row.state): row for row in doctor.checks()}

    return look


@pytest.mark.slow
def test_on_a_fresh_machine_nothing_fails_and_what_is_off_has_a_fix(rows, home):
    found = doctor.checks()
    assert not [row for row in found if row.state == "fails"]
    assert all(row.fix for row in found if row.state == "off")
    assert {"engine", "memory", "recovery store", "settings"} <= {
        row.part for row in found if row.state == "ok"
    }
    assert not home.exists()


@pytest.fixture
def _no_chrome(monkeypatch):
    monkeypatch.setattr(doctor, "_browser", lambda: iter(()))


@pytest.mark.usefixtures("_no_chrome")
def test_a_broken_setting_fails_with_its_place(rows, home):
    home.mkdir(mode=0o700)
    (home / "config.toml").write_text("[mem]\nscop = 'x'\n")
    row = rows()["settings", "fails"]
    assert "mem.scop" in row.detail
    assert row.fix == "did you mean mem.scope?"


@pytest.mark.usefixtures("_no_chrome")
def test_an_unsafe_store_fails_and_the_other_parts_are_still_looked_at(rows, home):
    home.mkdir(mode=0o700)
    os.mkfifo(home / "ccr.db")
    found = rows()
    assert ("recovery store", "fails") in found
    assert ("engine", "ok") in found


@pytest.mark.usefixtures("_no_chrome")
def test_an_engine_that_no_longer_shrinks_a_log_fails_cmp_61(rows, monkeypatch):
    monkeypatch.setattr(detect, "COMPRESSORS", ())
    row = rows()["engine", "fails"]
    assert row.detail == "a log of 1,500 lines passed through: unknown_type"


@pytest.mark.usefixtures("_no_chrome")
def test_a_hook_that_points_to_nothing_fails_with_the_fix_agt_31(rows, monkeypatch):
    os.makedirs(os.path.join(os.environ["HOME"], ".claude"))
    monkeypatch.setattr(
        hosts, "hook_command", lambda host, event: f"/no/such/caveman tools hooks run {host} {event}"
    )
    install.install(hosts.hook_files(hosts.chosen(["claude"])[0]), "hooks")
    row = rows()["claude hooks", "fails"]
    assert "exit 127" in row.detail
    assert "caveman tools hooks uninstall" in row.fix


@pytest.mark.usefixtures("_no_chrome")
def test_an_entry_that_points_elsewhere_fails(rows):
    os.makedirs(os.path.join(os.environ["HOME"], ".cursor"))
    with open(os.path.join(os.environ["HOME"], ".cursor", "mcp.json"), "w") as file:
        file.write('{"mcpServers": {"caveman": {"command": "/gone"}}}')
    assert ("cursor server", "fails") in rows()


@pytest.mark.slow
def test_the_command_ends_with_1_when_something_that_is_set_up_does_not_work(caveman, caveman_json, home):
    assert caveman_json("doctor", "--json")["ok"] is True
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "config.toml").write_text("nonsense")
    assert caveman("doctor").returncode == 1
