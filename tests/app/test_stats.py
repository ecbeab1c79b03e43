import json

from caveman_app import stats


def test_without_a_ledger_all_is_zero(home):
    found = stats.figures()
    assert (found["inputs"], found["tokens_saved"], found["by_type"]) == (0, 0, [])


def test_every_documented_figure_is_there(used):
    found = stats.figures()
    assert found["basis"] == "inferred"
    assert found["tokens_saved"] == found["tokens_before"] - found["tokens_after"] == 6 * 8700 + 3100
    assert found["overhead"]["sessions"] == 1
    assert found["tokens_saved_net"] == found["tokens_saved"] - found["overhead"]["catalogue_tokens"]
    assert 0 < found["overhead"]["catalogue_tokens"] <= 1000
    assert found["pass_throughs"] == {"too_small": 1}
    assert found["retrieves"] == 3


def test_a_type_that_is_recovered_too_often_is_called_too_aggressive(used):
    rows = {row["content_type"]: row for row in stats.figures()["by_type"]}
    assert rows["log"]["recovered_share"] == 0.5
    assert rows["log"]["too_aggressive"]
    assert not rows["json"]["too_aggressive"]
    assert "too aggressive" in stats.as_text(stats.figures())


def test_the_command_counts_what_the_commands_did(caveman, caveman_json, tmp_path):
    (tmp_path / "log").write_text("".join(f"INFO step {n} ok\n" for n in range(2000)))
    handle = caveman_json("tools", "compress", str(tmp_path / "log"), "--json")["recovery_handle"]
    caveman("tools", "simulate", str(tmp_path / "log"))
    caveman("tools", "retrieve", handle)
    found = caveman_json("stats", "--json")
    assert (found["inputs"], found["views"], found["retrieves"]) == (1, 1, 1)
    assert found["recovery_store"]["records"] == 1


def test_the_html_option_writes_the_file(caveman, home, tmp_path):
    done = caveman("stats", "--html", str(tmp_path / "s.html"))
    assert done.returncode == 0
    assert (tmp_path / "s.html").read_text().startswith("<!doctype html>")
    assert json.loads(caveman("stats", "--json").stdout)["inputs"] == 0
