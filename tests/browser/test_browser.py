"""Attaching to a browser that somebody else runs, two processes' frames, engines with half the protocol."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request

import pytest
from websockets.sync.server import serve as websocket_server

from caveman_browser import browser, chrome, errors, grants
from caveman_browser.policy import RESOLVER_RULES, OriginRule, Policy
from caveman_browser.session import Session


def rules(*texts):
    return tuple(map(OriginRule.parse, texts))


def test_without_a_list_only_link_local_names_are_unresolvable():
    assert browser.resolver_rules(Policy()) == RESOLVER_RULES


def test_with_a_list_only_its_hosts_are_resolvable():
    found = browser.resolver_rules(Policy(rules("https://b.test", "*.a.test")))
    assert found == RESOLVER_RULES + ",MAP * ~NOTFOUND,EXCLUDE *.a.test,EXCLUDE b.test"


def test_parts_from_anywhere_need_every_name():
    assert browser.resolver_rules(Policy(rules("a.test"), parts_allow=rules("*"))) == RESOLVER_RULES


def test_brw_52_an_address_that_is_no_browser_says_what_was_tried(monkeypatch, httpserver):
    httpserver.clear()
    monkeypatch.setenv("CAVEMAN_BROWSE_CDP", httpserver.url_for(""))
    with pytest.raises(errors.AttachFailed) as failed:
        browser.start(Policy(), browser.Launch())
    assert "/json/version" in failed.value.what
    assert "--remote-debugging-port" in failed.value.hint


def test_another_machine_is_attached_to_only_when_told(monkeypatch):
    monkeypatch.setenv("CAVEMAN_BROWSE_CDP", "ws://browser.example:9222/x")
    with pytest.raises(errors.UrlRefused) as refused:
        browser.start(Policy(), browser.Launch())
    assert "--remote" in refused.value.hint


@pytest.fixture
def half_an_engine():
    """A CDP endpoint that knows tabs and navigation but no accessibility tree."""

    def answer(connection):
        for text in connection:
            call = json.loads(text)
            method, session = call["method"], call.get("sessionId")
            reply = {"id": call["id"], "result": {}} | ({"sessionId": session} if session else {})
            if method == "Target.createTarget":
                reply["result"] = {"targetId": "t1"}
            elif method == "Target.attachToTarget":
                info = {"targetId": "t1", "type": "page", "url": "about:blank", "title": ""}
                event = {
                    "method": "Target.attachedToTarget",
                    "params": {"sessionId": "s1", "targetInfo": info},
                }
                connection.send(json.dumps(event))
                reply["result"] = {"sessionId": "s1"}
            elif method == "Performance.getMetrics":
                reply["result"] = {"metrics": []}
            elif method == "Page.getFrameTree":
                frame = {"id": "t1", "loaderId": "l", "url": "about:blank"}
                reply["result"] = {"frameTree": {"frame": frame}}
            elif method.startswith(("DOM.", "DOMSnapshot.", "Accessibility.")):
                del reply["result"]
                reply["error"] = {"code": -32601, "message": f"'{method}' method not found"}
            connection.send(json.dumps(reply))

    with websocket_server(answer, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/"
        server.shutdown()


def test_brw_71_an_engine_with_half_the_protocol_is_told_what_it_lacks(
    monkeypatch, half_an_engine, httpserver
):
    monkeypatch.setenv("CAVEMAN_BROWSE_CDP", half_an_engine)
    session = Session(idle=0)
    with pytest.raises(errors.ProtocolError, match="method not found"):
        session.snapshot(httpserver.url_for("/x"), timeout=3)
    session.close()


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """A Chrome with a debugging port and a tab of its own, as a person would run it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        chrome.find(),
        "--headless",
        "--no-sandbox",
        f"--remote-debugging-port={port}",
        "--no-first-run",
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    process = subprocess.Popen(
        [*command, f"--user-data-dir={tmp_path / 'p'}", "data:text/html,theirs"], **quiet
    )
    address = f"http://127.0.0.1:{port}"
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(address + "/json/version", timeout=2).close()
            break
        except OSError:
            time.sleep(0.1)
    monkeypatch.setenv("CAVEMAN_BROWSE_CDP", address)
    yield address
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def pages(address):
    with urllib.request.urlopen(address + "/json/list", timeout=5) as answer:
        return [each["url"] for each in json.load(answer) if each["type"] == "page"]


@pytest.mark.slow
def test_an_attached_browser_keeps_its_own_tabs_and_is_never_closed(foreign, serve, ref_of):
    session = Session(allow=grants.VERBS, idle=0)
    reply = session.snapshot(serve("<button onclick='document.title=1'>A</button>"))
    assert session.act(ref_of(reply, "A"), "click").title == "1"
    assert len(session.tabs().data["tabs"]) == 1
    session.close()
    assert pages(foreign) == ["data:text/html,theirs"]


@pytest.mark.slow
def test_brw_57_the_address_lists_hold_when_attached(foreign, serve, home, httpserver, ref_of):
    (home / "browser.toml").write_text('[pages]\nallow = ["127.0.0.1"]\n')
    (home / "browser.toml").chmod(0o600)
    session = Session(allow=grants.VERBS, idle=0)
    url = serve(f'<a href="{httpserver.url_for("/two")}">Two</a>', two="<p>two</p>").replace(
        "localhost", "127.0.0.1"
    )
    other = httpserver.url_for("/two").replace("127.0.0.1", "localhost")
    with pytest.raises(errors.UrlRefused):
        session.snapshot(other)
    httpserver.expect_request("/go").respond_with_data("", status=302, headers={"Location": other})
    with pytest.raises(errors.UrlRefused):
        session.snapshot(url.replace("/page", "/go"))
    assert "Two" in session.snapshot(url).text
    session.close()


@pytest.mark.slow
def test_brw_49_two_sessions_on_one_profile_both_work(home, serve):
    url = serve("<p>x</p>")
    first, second = (Session(launch=browser.Launch(profile="work"), idle=0) for _ in range(2))
    assert "in use" not in str(first.snapshot(url).asides)
    assert "work is in use" in str(second.snapshot(url).asides)
    first.close()
    second.close()


@pytest.mark.slow
def test_a_named_profile_keeps_what_a_site_remembers(home, serve):
    url = serve(
        "<p id=p></p><script>p.textContent='seen '+document.cookie;document.cookie='a=1;max-age=9999'</script>"
    )
    for expected in ("seen", "seen a=1"):
        session = Session(launch=browser.Launch(profile="work"), idle=0)
        assert f'"{expected}"' in session.snapshot(url).text
        session.close()


@pytest.mark.slow
def test_brw_27_equal_buttons_of_two_renderers_are_two_references(
    chrome, httpserver, other_server, ref_of, evaluate
):
    other_server.clear()
    other_server.clear_log()
    buy = "<p style='height:30px'></p><button onclick=\"this.textContent='Bought'\">Buy</button>"
    other = other_server.url_for("/b").replace("localhost", "b.localhost")
    other_server.expect_request("/b").respond_with_data(buy, content_type="text/html")
    httpserver.clear()
    body = f"{buy}<iframe style='margin:50px;border:5px solid' src='{other}'></iframe>"
    httpserver.expect_request("/page").respond_with_data(body, content_type="text/html")
    reply = chrome.snapshot(httpserver.url_for("/page").replace("localhost", "a.localhost"))
    assert len(chrome._browser.current().sessions()) == 2
    here, there = [line.split("]")[0].split("[")[1] for line in reply.text.splitlines() if "Buy" in line]
    assert "Bought" in chrome.act(there, "click").text
    assert evaluate("document.querySelector('button').textContent") == "Buy"
    chrome.act(here, "click")
    assert evaluate("document.querySelector('button').textContent") == "Bought"
