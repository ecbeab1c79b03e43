"""The command's side of the line to the host, against hosts played in a thread. `test_host` runs the real one."""

import contextlib
import json
import os
import threading
from multiprocessing import AuthenticationError
from multiprocessing.connection import Listener

import pytest

from caveman_browser import client, errors

SETTINGS = client.settings(headful=False, remote=False)


@pytest.fixture
def address(home):
    """Write the address file of the profile as the host would, or anything else there."""

    def write(found, profile=None):
        (home / "browser").mkdir(mode=0o700, exist_ok=True)
        with open(client.address_file(profile), "wb") as file:
            file.write(found if isinstance(found, bytes) else json.dumps(found).encode())

    return write


@pytest.fixture
def host(address):
    """Play a host: give each request to ``answer``, whose bytes go back; None hangs up. Gives what was asked."""
    listeners = []

    def play(answer, **settings):
        listener = Listener(family="AF_UNIX", authkey=b"k" * 32)
        listeners.append(listener)
        address({"listen": listener.address, "key": (b"k" * 32).hex(), "settings": {**SETTINGS, **settings}})
        asked = []

        def serve():
            with contextlib.suppress(OSError, EOFError, AuthenticationError):
                while True:
                    with listener.accept() as connection:
                        asked.append(json.loads(connection.recv_bytes()))
                        if (said := answer(asked[-1])) is not None:
                            connection.send_bytes(said)

        threading.Thread(target=serve, daemon=True).start()
        return asked

    yield play
    for listener in listeners:
        listener.close()


@pytest.fixture
def unstarted(monkeypatch):
    """No process is started; gives the settings that one was wanted with."""
    wanted = []

    def start(profile, settings):
        wanted.append((profile, settings))
        raise errors.HostFailed("not in this test")

    monkeypatch.setattr(client, "_spawn", start)
    return wanted


def test_each_profile_has_an_address_file_of_its_own(home):
    assert client.address_file(None) == str(home / "browser" / "host.json")
    assert client.address_file("work") == str(home / "browser" / "host-work.json")


def test_without_a_host_nothing_is_read_connected_or_closed(home):
    assert client.read_address(None) is None
    assert client.connect(None, None) is None
    assert client.close(None) is False


@pytest.mark.parametrize(
    "found",
    [b"", b"{", b"\xff\xfe", b"null", [], 3, {}, {"listen": "x", "key": "00"}],
    ids=repr,
)
def test_an_address_file_of_another_form_is_none(address, found):
    address(found)
    assert client.read_address(None) is None


@pytest.mark.parametrize(
    "listen, key",
    [
        ("/no/such/socket", "00"),
        ("", "00"),
        (7, "00"),
        ("/no/such", "no hex"),
        ("/no/such", None),
        (None, "00"),
    ],
)
def test_an_address_where_nobody_can_listen_is_none(address, listen, key):
    address({"listen": listen, "key": key, "settings": SETTINGS})
    assert client.connect(None, None) is None


def test_a_host_with_another_key_is_none(host, address):
    host(lambda _: b"{}")
    address({**client.read_address(None), "key": "00" * 32})
    assert client.connect(None, None) is None


def test_a_question_comes_with_the_folder_and_its_answer_back(host):
    asked = host(lambda _: b'{"answer": {"text": "\\u00e9"}}')
    assert client.ask("tabs", {"n": 1}) == {"text": "é"}
    assert asked == [{"verb": "tabs", "arguments": {"n": 1}, "folder": os.getcwd()}]


def test_the_hosts_error_is_ours_in_every_part(host):
    failed = {"code": "cave_url_refused", "what": "w", "where": "x", "hint": "h", "exit_status": 78}
    host(lambda _: json.dumps({"error": failed}).encode())
    with pytest.raises(errors.BrowserError) as found:
        client.ask("tabs", {})
    assert (found.value.as_dict(), found.value.exit_status) == (
        {key: failed[key] for key in ("code", "what", "where", "hint")},
        78,
    )


def test_a_host_that_hangs_up_says_that_the_next_command_starts_anew(host):
    host(lambda _: None)
    with pytest.raises(errors.HostFailed, match="ended during the command") as failed:
        client.ask("tabs", {})
    assert "anew" in failed.value.hint


def test_a_host_that_does_not_answer_is_given_up_in_time(host, monkeypatch):
    waiting = threading.Event()
    monkeypatch.setattr(client, "_GRACE", 0.05)
    host(lambda _: b"{}" if waiting.wait(20) else None)
    with pytest.raises(errors.HostFailed, match=r"within 0\.15 s"):
        client.ask("tabs", {"timeout": 0.1})
    waiting.set()


def test_without_a_page_only_a_command_that_opens_one_starts_a_host(home, unstarted):
    with pytest.raises(errors.NoPage):
        client.ask("tabs", {})
    assert unstarted == []
    with pytest.raises(errors.HostFailed, match="not in this test"):
        client.ask("snapshot", {"url": "http://127.0.0.1/"}, starts=True, headful=True)
    assert unstarted == [(None, client.settings(headful=True, remote=False))]


def test_a_refused_address_starts_no_host(home, unstarted):
    with pytest.raises(errors.UrlRefused):
        client.ask("snapshot", {"url": "file:///etc/hostname"}, starts=True)
    assert unstarted == []


def test_a_host_with_other_settings_is_ended_for_one_with_the_wanted(host, unstarted):
    asked = host(lambda _: b'{"answer": null}', headful=True)
    with pytest.raises(errors.HostFailed, match="not in this test"):
        client.ask("snapshot", {}, starts=True)
    assert [each["verb"] for each in asked] == ["close", "close"]


def test_a_command_that_starts_nothing_takes_the_host_as_it_is(host):
    asked = host(lambda _: b'{"answer": 1}', headful=True)
    assert client.ask("tabs", {}) == 1
    assert [each["verb"] for each in asked] == ["tabs"]


def test_closing_asks_the_host_and_forgets_an_address_without_one(host, address):
    asked = host(lambda _: b'{"answer": null}')
    assert client.close(None) is True
    assert [each["verb"] for each in asked] == ["close"]
    address({"listen": "/no/such/socket", "key": "00", "settings": SETTINGS})
    assert client.close(None) is False
    assert not os.path.exists(client.address_file(None))


def test_only_the_variables_that_a_host_cannot_take_later_are_its_settings(monkeypatch):
    monkeypatch.setenv("CAVEMAN_BROWSE_CDP", "http://127.0.0.1:9222")
    monkeypatch.setenv("CAVEMAN_BROWSE_IDLE", "5")
    assert client.settings(headful=True, remote=False) == {
        "headful": True,
        "remote": False,
        "CAVEMAN_BROWSE_CDP": "http://127.0.0.1:9222",
        "CAVEMAN_BROWSE_CHROME": None,
    }


def test_a_reply_is_text_on_stdout_and_the_way_back_on_stderr(capfdbinary):
    client.show({"text": "page \ud800é", "handle": "ccr_1", "asides": ["started anew"]}, as_json=False)
    out, err = capfdbinary.readouterr()
    assert out == "page ?é\n".encode()
    assert err.splitlines() == [b"started anew", b"recover: ccr_1"]


def test_as_json_a_reply_is_one_object_on_stdout(capfdbinary):
    client.show({"text": "t", "handle": "ccr_1"}, as_json=True)
    out, err = capfdbinary.readouterr()
    assert json.loads(out) == {"text": "t", "handle": "ccr_1"}
    assert err == b""
