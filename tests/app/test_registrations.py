import os

from caveman_app import hosts, install, registrations


def test_status_runs_the_hook_as_the_host_would_agt_31(caveman_json, monkeypatch, tmp_path):
    os.makedirs(os.path.join(os.environ["HOME"], ".claude"))
    rows = {row["agent"]: row["state"] for row in caveman_json("tools", "hooks", "status", "--json")["hooks"]}
    assert rows["claude"] == "off"
    assert rows["cursor"] == "absent"
    install.install(hosts.hook_files(hosts.chosen(["claude"])[0]), "hooks")

    monkeypatch.setattr(
        hosts, "hook_command", lambda host, event: f"/no/such/caveman tools hooks run {host} {event}"
    )
    install.uninstall("hooks")
    install.install(hosts.hook_files(hosts.chosen(["claude"])[0]), "hooks")
    (row,) = [row for row in registrations.hooks() if row["agent"] == "claude"]
    assert row["state"] == "broken"
    assert "exit 127" in row["detail"]
