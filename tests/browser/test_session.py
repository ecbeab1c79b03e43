"""What commands do on a real Chromium: opening, dialogs, hangs, crashes, references, rules."""

import json
import os
import signal
import subprocess
import time

import pytest

from caveman_browser import errors, grants
from caveman_browser.session import Session
from caveman_engine.recovery import RecoveryStore

pytestmark = pytest.mark.slow


@pytest.fixture
def fresh():
    """Make sessions of a test's own."""
    made = []

    def fresh(**more):
        session = Session(**{"allow": grants.VERBS, "idle": 0, **more})
        made.append(session)
        return session

    yield fresh
    for session in made:
        session.close()


def chrome_pid(session):
    return session._browser._owned.pid


def children(pid, kind=""):
    rows = subprocess.run(
        ["ps", "-eo", "pid,pgid,stat,args"], capture_output=True, text=True
    ).stdout.splitlines()
    return [
        int(row.split()[0]) for row in rows if f" {pid} " in row[:20] and kind in row and " Z" not in row[:26]
    ]


# Opening and waiting


def test_a_page_is_opened_and_opened_again(chrome, show):
    reply = show("<title>T</title><h1>Hi</h1>")
    assert (reply.title, reply.settled) == ("T", True)
    assert "Hi" in reply.text
    assert "not settled" not in reply.text


def test_brw_28_a_page_that_never_ends_loading_is_shown_as_far_as_it_came(chrome, httpserver):
    from werkzeug.wrappers import Response

    def endless(_request):
        def body():
            yield "<p>ready</p><script>new EventSource('/events')</script>"
            time.sleep(12)

        return Response(body(), content_type="text/html")

    httpserver.clear()
    httpserver.expect_request("/endless").respond_with_handler(endless)
    began = time.monotonic()
    reply = chrome.snapshot(httpserver.url_for("/endless"))
    assert time.monotonic() - began < 10
    assert "ready" in reply.text
    assert reply.settled is False
    assert "not settled" in reply.text


def test_what_a_script_adds_later_is_waited_for(show):
    late = "<p id=p></p><script>setTimeout(()=>fetch('/x').finally(()=>p.textContent='late'),150)</script>"
    assert "late" in show(late).text


def test_a_text_is_waited_for_and_its_absence_has_a_status_of_its_own(show):
    late = "<p id=p></p><script>setTimeout(()=>p.textContent='much later',1200)</script>"
    assert "much later" in show(late, wait_for="much later", timeout=8).text
    with pytest.raises(errors.WaitNotMet) as missing:
        show("<p>x</p>", wait_for="never", timeout=0.5)
    assert missing.value.exit_status == 3


def test_an_address_that_does_not_answer_is_an_error_and_the_next_call_works(chrome, serve):
    with pytest.raises(errors.NavigationFailed):
        chrome.snapshot("http://127.0.0.1:9/")
    assert "ok" in chrome.snapshot(serve("<p>ok</p>")).text


def test_a_download_is_said_and_not_kept(chrome, httpserver):
    httpserver.clear()
    attached = {
        "Content-Disposition": "attachment; filename=a.bin",
        "Content-Type": "application/octet-stream",
    }
    httpserver.expect_request("/file").respond_with_data(b"x" * 100, headers=attached)
    with pytest.raises(errors.NavigationFailed, match="download"):
        chrome.snapshot(httpserver.url_for("/file"))


def test_back_and_forward_show_the_page(chrome, serve):
    first = serve("<p>one</p>", two="<p>two</p>")
    chrome.snapshot(first)
    chrome.snapshot(first.replace("/page", "/two"))
    assert "one" in chrome.step(-1).text
    assert "two" in chrome.step(1).text
    with pytest.raises(errors.NoPage):
        chrome.step(1)


def test_the_capture_comes_back_byte_for_byte_under_its_handle(chrome, show):
    reply = show("<p>exact</p>")
    data = chrome.recover(reply.handle)
    assert data == chrome.recover()
    assert "exact" in json.dumps(json.loads(data))
    with RecoveryStore.open() as store:
        assert store.get(reply.handle) == data


def test_a_view_that_cannot_be_kept_is_shown_whole_and_says_so(fresh, serve):
    full = RecoveryStore.in_memory(max_bytes=1000)
    reply = fresh(store=full).snapshot(serve("<p>needle</p>" + "<p>hay</p>" * 30), "needle")
    assert "not stored" in reply.text
    assert reply.text.count("hay") == 30
    assert reply.handle is None


def test_brw_70_a_fragment_is_the_same_page(chrome, serve, ref_of, evaluate):
    url = serve("<button onclick='document.title=1'>A</button>")
    before = ref_of(chrome.snapshot(url), "A")
    chrome.snapshot(url + "#x")
    chrome.act(before, "click")
    assert evaluate("document.title") == "1"


def test_a_screenshot_is_a_file_and_never_text(chrome, show, tmp_path):
    show("<div style='height:8000px'>tall</div>")
    reply = chrome.screenshot(str(tmp_path / "a.png"), full=True)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert len(str(reply.as_dict())) < 1000


# Acting


def test_brw_32_a_click_without_effect_says_so(chrome, show, ref_of, httpserver):
    reply = chrome.act(ref_of(show('<a href="javascript:void 0">Next</a>'), "Next"), "click")
    url = httpserver.url_for("/page")
    assert f"nothing changed; url: {url} -> {url}" in reply.text


def test_brw_32b_a_new_tab_is_named_and_a_blank_page_reported(chrome, serve, ref_of):
    url = serve('<a href="/b" target=_blank>New</a> <a href="about:blank">Blank</a>', b="<p>b</p>")
    page = chrome.snapshot(url)
    reply = chrome.act(ref_of(page, "New"), "click")
    assert "new tab" in reply.text
    assert "/b" in reply.text
    assert f"{url} -> about:blank" in chrome.act(ref_of(page, "Blank"), "click").text


def test_brw_33_a_closed_page_is_not_silently_replaced(fresh, serve, ref_of):
    session = fresh()
    url = serve("<button>One</button>", two="<p>two</p>")
    one = session.snapshot(url)
    session.snapshot(url.replace("/page", "/two"), new=True)
    session.snapshot(tab=1)
    target = session._browser.current().target
    session._browser.link.call("Target.closeTarget", {"targetId": target})
    session._browser.link.wait_for(lambda: target not in session._browser.targets.tabs, 5)
    with pytest.raises(errors.NoPage) as gone:
        session.act(ref_of(one, "One"), "click")
    assert "/two" in gone.value.where
    with pytest.raises(errors.NoPage):
        session.snapshot()
    assert "two" in session.snapshot(tab=1).text


def test_brw_34_a_jump_within_the_page_is_quick(chrome, show, ref_of):
    page = show('<a href="#x">Jump</a><p id=x>x</p>')
    began = time.monotonic()
    assert "#x" in chrome.act(ref_of(page, "Jump"), "click").text
    assert time.monotonic() - began < 4


def test_brw_30_a_reference_does_not_live_on_after_navigation(chrome, serve, ref_of):
    page = chrome.snapshot(serve('<a href="/two">Next</a><button>One</button>', two="<button>Two</button>"))
    chrome.act(ref_of(page, "Next"), "click")
    with pytest.raises(errors.StaleReference) as stale:
        chrome.act(ref_of(page, "One"), "click")
    assert stale.value.hint


def test_every_write_and_every_refusal_of_one_is_in_the_log(chrome, show, ref_of, home, httpserver):
    page = show("<button>Pay</button><button disabled>No</button><input aria-label=N>")
    chrome.act(ref_of(page, "Pay"), "click")
    chrome.act(ref_of(page, '"N"'), "type", "secret words")
    with pytest.raises(errors.NotActionable):
        chrome.act(ref_of(page, "No"), "click")
    text = (home / "browser-audit.jsonl").read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["verb"], row["name"], row["outcome"]) for row in rows] == [
        ("click", "Pay", "ok"),
        ("type", "N", "ok"),
        ("click", "No", "cave_not_actionable"),
    ]
    assert rows[0]["origin"] == httpserver.url_for("").rstrip("/")
    assert "secret words" not in text


# Dialogs, hangs, crashes


def test_brw_42_a_dialog_at_load_does_not_stall(chrome, show):
    began = time.monotonic()
    reply = show("<script>alert('hi there')</script><p>body</p>")
    assert time.monotonic() - began < 4
    assert 'dialog alert "hi there": accepted' in reply.text
    assert "body" in reply.text


def test_brw_43_the_dialog_of_a_page_that_is_gone_is_not_reported(fresh, serve, ref_of):
    session = fresh()
    url = serve("<button onclick='alert(1);window.close()'>A</button>", two="<p>two</p>")
    reply = session.act(ref_of(session.snapshot(url), "A"), "click")
    assert "dialog alert" in reply.text
    after = session.snapshot(url.replace("/page", "/two"))
    assert "two" in after.text
    assert "dialog" not in after.text


QUESTION = "<button onclick=\"document.title=confirm('Delete all?')\">D</button>"


def test_brw_44_a_question_is_dismissed_unless_told(chrome, show, ref_of, evaluate):
    page = show(QUESTION)
    reply = chrome.act(ref_of(page, "D"), "click")
    assert 'dialog confirm "Delete all?": dismissed' in reply.text
    assert evaluate("document.title") == "false"
    assert "accepted" in chrome.act(ref_of(page, "D"), "dialog").text
    assert evaluate("document.title") == "true"


def test_a_prompt_takes_the_words_it_is_told(chrome, show, ref_of, evaluate):
    page = show("<button onclick=\"document.title=prompt('Name?')\">P</button>")
    chrome.act(ref_of(page, "P"), "dialog", "Ada")
    assert evaluate("document.title") == "Ada"


def test_brw_45_a_click_that_never_ends_meets_its_deadline_and_the_next_call_works(chrome, serve, ref_of):
    page = chrome.snapshot(serve('<button onclick="while(1);">L</button>', two="<p>two</p>"))
    with pytest.raises(errors.DeadlineExceeded):
        chrome.act(ref_of(page, "L"), "click", timeout=1.5)
    assert "two" in chrome.snapshot(serve("", two="<p>two</p>").replace("/page", "/two")).text


def test_brw_45b_a_busy_page_and_an_endless_expression_meet_their_deadlines(chrome, serve):
    url = serve("<script>setTimeout(function(){while(1);},50)</script>", two="<p>two</p>")
    with pytest.raises(errors.DeadlineExceeded):
        chrome.snapshot(url, timeout=1)
    assert "two" in chrome.snapshot(url.replace("/page", "/two")).text
    with pytest.raises(errors.DeadlineExceeded):
        chrome.evaluate("for(;;){}", timeout=1)
    assert chrome.evaluate("1+1").text == "2"


def test_brw_46_after_a_crashed_page_the_next_call_works(fresh, serve):
    session = fresh()
    url = serve("<p>fine</p>")
    session.snapshot(url)
    tab = session._browser.current()
    session._browser.link.post("Page.crash", None, tab.session)
    session._browser.link.wait_for(lambda: tab.crashed, 5)
    with pytest.raises(errors.PageCrashed):
        session.snapshot()
    assert "fine" in session.snapshot(url).text


def test_brw_47_after_a_killed_browser_the_next_call_starts_anew_and_says_so(fresh, serve, ref_of):
    session = fresh()
    url = serve("<button>A</button>")
    page = session.snapshot(url)
    os.killpg(chrome_pid(session), signal.SIGKILL)
    with pytest.raises(errors.BrowserError) as lost:
        session.snapshot()
    assert lost.value.hint
    reply = session.snapshot(url)
    assert ref_of(reply, "A") != ref_of(page, "A")
    with pytest.raises(errors.BrowserError):
        session.act(ref_of(page, "A"), "click")


def test_brw_47_a_url_given_right_after_the_loss_says_that_it_started_anew(fresh, serve):
    session = fresh()
    url = serve("<p>x</p>")
    session.snapshot(url)
    os.killpg(chrome_pid(session), signal.SIGKILL)
    session._browser.link.wait_for(lambda: False, 1)
    assert "started anew" in session.snapshot(url).text


def test_brw_53_an_idle_browser_is_closed_and_the_next_call_says_so(fresh, serve):
    session = fresh(idle=0.5)
    url = serve("<p>x</p>")
    session.snapshot(url)
    pid = chrome_pid(session)
    time.sleep(2)
    assert children(pid) == []
    assert "started anew: the browser was closed after 0.5 s" in session.snapshot(url).text


def test_brw_50_nothing_listens_while_pages_are_open(fresh, serve):
    session = fresh()
    session.snapshot(serve("<p>x</p>"))
    pids = set(children(chrome_pid(session)))
    listening = subprocess.run(["ss", "-ltnpH"], capture_output=True, text=True).stdout
    assert pids
    assert not any(f"pid={pid}," in listening for pid in pids)


def test_closing_leaves_no_process_and_no_profile(fresh, serve, browser_home):
    session = fresh()
    session.snapshot(serve("<p>x</p>"))
    pid, profile = chrome_pid(session), session._browser._owned.profile.path
    session.close()
    assert children(pid) == []
    assert not os.path.exists(profile)


# Permissions and addresses


def test_brw_54_without_a_grant_nothing_starts(fresh, monkeypatch):
    monkeypatch.setenv("CAVEMAN_BROWSE_CHROME", "/nowhere")
    session = fresh(allow=())
    for refused in (lambda: session.act("e1", "click"), lambda: session.evaluate("1")):
        with pytest.raises(errors.WriteDenied):
            refused()
    assert session._browser is None


def test_a_grant_of_another_origin_does_not_act_here(fresh, serve, ref_of, home):
    (home / "browser.toml").write_text('[[grant]]\norigin = "https://shop.example"\nverbs = ["click"]\n')
    (home / "browser.toml").chmod(0o600)
    session = fresh(allow=())
    page = session.snapshot(serve("<button onclick='document.title=1'>A</button>"))
    with pytest.raises(errors.WriteDenied):
        session.act(ref_of(page, "A"), "click")
    assert session.snapshot().title != "1"


def test_a_grant_for_a_page_is_none_for_another_origins_frame_in_it(
    fresh, httpserver, other_server, ref_of, home
):
    (home / "browser.toml").write_text('[[grant]]\norigin = "a.localhost"\nverbs = ["click"]\n')
    (home / "browser.toml").chmod(0o600)
    other_server.clear()
    other_server.expect_request("/b").respond_with_data("<button>Theirs</button>", content_type="text/html")
    frame = other_server.url_for("/b").replace("localhost", "b.localhost")
    httpserver.clear()
    page_of(
        httpserver,
        f"<button>Ours</button><iframe src='{frame}'></iframe><iframe srcdoc='<button>Inner</button>'></iframe>",
    )
    session = fresh(allow=())
    page = session.snapshot(httpserver.url_for("/page").replace("localhost", "a.localhost"))
    with pytest.raises(errors.WriteDenied, match=r"b\.localhost"):
        session.act(ref_of(page, "Theirs"), "click")
    session.act(ref_of(page, "Ours"), "click")
    session.act(ref_of(page, "Inner"), "click")


@pytest.fixture
def two_hosts(home, httpserver, other_server):
    """Pages of A may be opened, B is another host on the same machine; both count what they are asked."""
    (home / "browser.toml").write_text('[pages]\nallow = ["a.localhost", "127.0.0.1"]\n')
    (home / "browser.toml").chmod(0o600)
    httpserver.clear()
    other_server.clear()
    other_server.clear_log()
    other_server.expect_request("").respond_with_data("<p>of B</p>", content_type="text/html")
    return httpserver.url_for("/page").replace("localhost", "a.localhost"), other_server.url_for(
        "/b"
    ).replace("localhost", "b.localhost")


def page_of(httpserver, body):
    httpserver.expect_request("/page").respond_with_data(body, content_type="text/html")


def test_brw_58_parts_of_another_host_are_blocked_and_said(fresh, two_hosts, httpserver, other_server):
    a, b = two_hosts
    page_of(httpserver, f'<p>of A</p><img src="{b}.png"><link rel=stylesheet href="{b}.css">')
    reply = fresh().snapshot(a)
    assert "of A" in reply.text
    assert "blocked part" in reply.text
    assert len(other_server.log) == 0


def test_brw_59_a_redirect_to_another_host_is_stopped(fresh, two_hosts, httpserver, other_server):
    a, b = two_hosts
    httpserver.expect_request("/page").respond_with_data("", status=302, headers={"Location": b})
    with pytest.raises(errors.UrlRefused, match="allow list"):
        fresh().snapshot(a)
    assert len(other_server.log) == 0


def test_a_clicked_link_to_another_host_leaves_the_page_as_it_is(
    fresh, two_hosts, httpserver, other_server, ref_of
):
    a, b = two_hosts
    page_of(httpserver, f'<a href="{b}">Go</a><button onclick="document.title=7">Still</button>')
    session = fresh()
    page = session.snapshot(a)
    reply = session.act(ref_of(page, "Go"), "click")
    assert "blocked page" in reply.text
    assert session.act(ref_of(page, "Still"), "click").title == "7"
    assert len(other_server.log) == 0


def test_a_pop_up_of_another_host_is_blocked(fresh, two_hosts, httpserver, other_server, ref_of):
    a, b = two_hosts
    page_of(httpserver, f'<a href="{b}" target=_blank>Pop</a>')
    session = fresh()
    session.act(ref_of(session.snapshot(a), "Pop"), "click")
    assert len(other_server.log) == 0


def test_brw_62_63_side_ways_reach_no_other_host(fresh, two_hosts, httpserver, other_server):
    a, b = two_hosts
    httpserver.expect_request("/w.js").respond_with_data(f"fetch('{b}')", content_type="text/javascript")
    socket = b.replace("http:", "ws:")
    page_of(
        httpserver,
        f"<p>of A</p><script>new Worker('w.js');try{{new WebSocket('{socket}')}}catch{{}}\n//# sourceMappingURL={b}.map\n</script>",
    )
    session = fresh()
    session.snapshot(a)
    time.sleep(0.7)
    session.snapshot()
    assert len(other_server.log) == 0


def test_changed_lists_hold_for_the_next_command(fresh, two_hosts, httpserver, home):
    a, _ = two_hosts
    page_of(httpserver, "<p>of A</p>")
    session = fresh()
    session.snapshot(a)
    (home / "browser.toml").write_text('[pages]\nallow = ["other.test"]\n')
    with pytest.raises(errors.UrlRefused):
        session.snapshot(a)
