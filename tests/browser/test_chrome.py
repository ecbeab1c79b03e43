import os
import sys

import pytest

from caveman_browser import chrome, errors, profiles


def test_the_variable_names_the_program(monkeypatch, home):
    monkeypatch.setenv("CAVEMAN_BROWSE_CHROME", sys.executable)
    assert chrome.find() == sys.executable


def test_a_variable_that_names_no_program_is_an_error_that_names_it(monkeypatch, home):
    monkeypatch.setenv("CAVEMAN_BROWSE_CHROME", "/nowhere/chrome")
    with pytest.raises(errors.ChromeNotFound, match="/nowhere/chrome") as missing:
        chrome.find()
    assert missing.value.where == "CAVEMAN_BROWSE_CHROME"


def test_brw_51_without_a_browser_the_error_says_what_to_install_and_set(monkeypatch, home, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(errors.ChromeNotFound) as missing:
        chrome.find()
    assert "install" in missing.value.hint
    assert "CAVEMAN_BROWSE_CHROME" in missing.value.hint


def test_a_chrome_of_ours_has_a_pipe_and_no_port():
    arguments, _ = chrome.command_line("/p", headful=False)
    assert "--remote-debugging-pipe" in arguments
    assert "--headless" in arguments
    assert not any("remote-debugging-port" in argument for argument in arguments)
    assert "--headless" not in chrome.command_line("/p", headful=True)[0]


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs a user namespace on Linux only")
def test_the_sandbox_is_off_for_root_only_and_that_is_said(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    arguments, notes = chrome.command_line("/p", headful=False)
    assert "--no-sandbox" in arguments
    assert "root" in notes[0]
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    arguments, notes = chrome.command_line("/p", headful=False)
    assert ("--no-sandbox" in arguments, notes) == (False, [])


@pytest.mark.slow
def test_a_program_that_is_no_chrome_ends_with_a_clear_error_and_leaves_no_profile(monkeypatch, home):
    from caveman_browser import browser
    from caveman_browser.policy import Policy

    monkeypatch.setenv("CAVEMAN_BROWSE_CHROME", "/bin/true")
    with pytest.raises(errors.ChromeFailed):
        browser.start(Policy(), browser.Launch())
    assert os.listdir(home / "browser" / "temporary") == []


@pytest.mark.slow
def test_closing_leaves_neither_process_nor_profile(home):
    running = chrome.launch(profiles.take(None))
    assert running.running()
    running.close()
    assert not running.running()
    assert os.listdir(home / "browser" / "temporary") == []
