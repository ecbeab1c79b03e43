import os
import subprocess

import pytest

from caveman_app import stats
from caveman_app.stats_page import page


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
