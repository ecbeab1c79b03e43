import threading

import pytest

from caveman_browser import browser, chrome, errors, login, profiles

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    """A machine without a screen can still run the window's browser, headless."""
    line = chrome.command_line
    monkeypatch.setattr(chrome, "command_line", lambda path, **more: line(path, **{**more, "headful": False}))


def test_the_window_is_the_persons_until_it_is_closed_and_the_login_stays(home, serve, monkeypatch):
    url = serve("<script>document.cookie='user=ada;max-age=9999'</script><p>welcome</p>")
    started, said = [], []
    start = browser.start
    monkeypatch.setattr(browser, "start", lambda *how: started.append(start(*how)) or started[-1])
    person = threading.Thread(target=login.sign_in, args=(url, "work", said.append))
    person.start()
    while not started or not started[0].tabs or not started[0].tabs[0].loader:
        assert person.is_alive()
        person.join(0.1)
    started[0].link.wait_for(lambda: started[0].tabs[0].loaded, 10)
    started[0].link.post("Browser.close")
    person.join(20)
    assert not person.is_alive()
    assert "sign in" in said[0]
    assert (home / "browser" / "profiles" / "work").stat().st_mode & 0o777 == 0o700


def test_a_profile_in_use_is_not_signed_into(home, serve):
    held = profiles.take("work")
    with pytest.raises(errors.BadRequest, match="in use"):
        login.sign_in(serve("x"), "work", lambda text: None)
    held.release()


def test_a_refused_address_opens_no_window(home):
    with pytest.raises(errors.UrlRefused):
        login.sign_in("file:///etc/hostname", "work", lambda text: None)
    assert not (home / "browser").exists()
