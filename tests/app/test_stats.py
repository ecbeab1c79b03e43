import json
import os
import subprocess

import pytest

from caveman_app import stats
from caveman_app.stats_page import page
from caveman_engine import ledger
from caveman_engine.ledger import Event


@pytest.fixture
def used(home):
    """A ledger with something of everything."""
    for n in range(6):
        handle = f"ccr_{n:032x}"
        ledger.record(Event("compress", content_type="log", tokens_in=9000, tokens_out=300, handle=handle))
        if n < 3:
            ledger.record(Event("retrieve", handle=handle))
    ledger.record(
        Event(
            "compress",
            source="mcp",
            session="s",
            content_type="json",
            tokens_in=4000,
            tokens_out=900,
            handle="ccr_x",
        )
    )
    ledger.record(
        Event(
            "shrink", content_type="<script>", tokens_in=50, tokens_out=50, reason="too_small", exit_status=1
        )
    )
    return home


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


def test_the_page_is_one_file_that_loads_nothing_and_escapes_what_it_shows(used):
    text = page(stats.figures())
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert text.count("<svg") == 3


def test_the_page_of_an_empty_ledger_says_so(home):
    assert "Nothing yet." in page(stats.figures())


@pytest.mark.slow
def test_the_page_shows_in_a_real_browser(used, tmp_path):
    from caveman_browser import chrome
    from caveman_browser.errors import BrowserError

    try:
        program = chrome.find()
    except BrowserError:
        pytest.skip("no Chrome on this machine")
    file, picture = tmp_path / "stats.html", tmp_path / "stats.png"
    file.write_text(page(stats.figures()))
    common = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    done = subprocess.run([*common, "--dump-dom", file.as_uri()], capture_output=True, text=True, timeout=60)
    assert 'class="out"' in done.stdout
    subprocess.run(
        [*common, f"--screenshot={picture}", "--window-size=1000,1200", file.as_uri()],
        capture_output=True,
        timeout=60,
    )
    assert picture.stat().st_size > 10_000
    if keep := os.environ.get("KEEP_SCREENSHOT"):
        os.replace(picture, keep)


def test_the_html_option_writes_the_file(caveman, home, tmp_path):
    done = caveman("stats", "--html", str(tmp_path / "s.html"))
    assert done.returncode == 0
    assert (tmp_path / "s.html").read_text().startswith("<!doctype html>")
    assert json.loads(caveman("stats", "--json").stdout)["inputs"] == 0
