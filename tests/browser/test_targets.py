import pytest

from caveman_browser.messages import Event
from caveman_browser.policy import OriginRule, Policy
from caveman_browser.targets import STREAM, Targets


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def sent():
    return []


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def make(sent, clock):
    def make(policy=None, *, owned=True):
        post = lambda method, params, session: sent.append((method, params, session))  # noqa: E731
        return Targets(post, policy or Policy(), owned=owned, clock=clock)

    return make


def attached(target, session, kind="page", parent=None, **info):
    info = {"targetId": target, "type": kind, "url": "", "title": "", **info}
    return Event("Target.attachedToTarget", {"sessionId": session, "targetInfo": info}, parent)


def navigated(session, frame, loader, url="http://a.test/"):
    return Event("Page.frameNavigated", {"frame": {"id": frame, "loaderId": loader, "url": url}}, session)


def loaded(session, frame, loader):
    return Event("Page.lifecycleEvent", {"frameId": frame, "loaderId": loader, "name": "load"}, session)


def request(session, key, kind="XHR", url="http://a.test/x"):
    return Event(
        "Network.requestWillBeSent", {"requestId": key, "type": kind, "request": {"url": url}}, session
    )


def finished(session, key):
    return Event("Network.loadingFinished", {"requestId": key}, session)


def dialog(session, kind, message="Delete all?"):
    return Event("Page.javascriptDialogOpening", {"type": kind, "message": message}, session)


def test_events_of_no_interest_change_nothing(make, sent):
    targets = make()
    targets.handle(Event("Page.frameResized", {}, "s1"))
    targets.handle(navigated("unknown", "t1", "l1"))
    assert (targets.tabs, sent) == ({}, [])


def test_a_new_tab_is_prepared_before_it_runs(make, sent):
    make().handle(attached("t1", "s1"))
    methods = [method for method, _, session in sent if session == "s1"]
    assert methods[0] == "Fetch.enable"
    assert methods[-1] == "Runtime.runIfWaitingForDebugger"


def test_a_frame_of_another_process_belongs_to_its_tab_until_it_goes(make):
    targets = make()
    targets.handle(attached("t1", "s1"))
    targets.handle(attached("f1", "s2", "iframe", parent="s1"))
    assert targets.tabs["t1"].frames == {"t1": "s1", "f1": "s2"}
    targets.handle(Event("Target.detachedFromTarget", {"sessionId": "s2"}, "s1"))
    assert targets.tabs["t1"].frames == {"t1": "s1"}


def test_a_closed_tab_is_forgotten(make):
    targets = make()
    targets.handle(attached("t1", "s1"))
    targets.handle(Event("Target.detachedFromTarget", {"sessionId": "s1"}))
    assert targets.tabs == {}


def test_tabs_of_somebody_elses_browser_are_let_go_and_pop_ups_of_ours_kept(make, sent):
    targets = make(owned=False)
    targets.handle(attached("theirs", "s1"))
    assert targets.tabs == {}
    assert sent[-1][0] == "Target.detachFromTarget"
    targets.want("ours")
    targets.handle(attached("ours", "s2"))
    targets.handle(attached("popup", "s3", openerId="ours"))
    assert list(targets.tabs) == ["ours", "popup"]


def test_chromes_own_surfaces_are_let_be(make, sent):
    make().handle(attached("u1", "s1", "browser_ui"))
    assert [method for method, _, _ in sent] == ["Runtime.runIfWaitingForDebugger", "Target.detachFromTarget"]


def test_a_page_is_loaded_by_its_own_documents_event_only(make):
    targets = make()
    targets.handle(attached("t1", "s1"))
    tab = targets.tabs["t1"]
    targets.handle(navigated("s1", "t1", "l1"))
    targets.handle(loaded("s1", "t1", "old"))
    targets.handle(loaded("s1", "f1", "l1"))
    assert not tab.loaded
    targets.handle(loaded("s1", "t1", "l1"))
    assert (tab.loaded, tab.url, tab.loader) == (True, "http://a.test/", "l1")


def test_requests_in_flight_are_counted_and_endless_kinds_are_not(make):
    targets = make()
    targets.handle(attached("t1", "s1"))
    for key, kind in [("r1", "XHR"), ("r2", "EventSource"), ("r3", "WebSocket"), ("r4", "Media")]:
        targets.handle(request("s1", key, kind))
    targets.handle(request("s1", "r5", "Image", "data:image/png,x"))
    assert list(targets.tabs["t1"].requests) == ["r1"]
    targets.handle(finished("s1", "r1"))
    assert targets.tabs["t1"].requests == {}


def test_data_of_a_stream_is_no_sign_of_loading(make, clock):
    targets = make()
    targets.handle(attached("t1", "s1"))
    targets.handle(request("s1", "r1", "Fetch"))
    clock.now += STREAM + 1
    targets.handle(Event("Network.dataReceived", {"requestId": "r1"}, "s1"))
    assert targets.tabs["t1"].active == 100.0


@pytest.mark.parametrize(
    ("kind", "accept"), [("alert", True), ("beforeunload", True), ("confirm", False), ("prompt", False)]
)
def test_dialogs_are_answered_at_once_and_questions_dismissed(make, sent, kind, accept):
    targets = make()
    targets.handle(attached("t1", "s1"))
    targets.handle(dialog("s1", kind))
    assert sent[-1] == ("Page.handleJavaScriptDialog", {"accept": accept, "promptText": ""}, "s1")
    assert targets.tabs["t1"].dialogs[0].text == "Delete all?"


def test_a_question_is_accepted_when_told(make, sent):
    targets = make()
    targets.handle(attached("t1", "s1"))
    targets.tabs["t1"].answer = (True, "Ada")
    targets.handle(dialog("s1", "prompt"))
    assert sent[-1][1] == {"accept": True, "promptText": "Ada"}


def test_a_workers_request_follows_the_policy_too(make, sent):
    targets = make(Policy((OriginRule.parse("a.test"),)))
    targets.handle(attached("w1", "s9", "worker", parent="s1"))
    params = {"requestId": "r", "resourceType": "Fetch", "request": {"url": "http://b.test/"}}
    targets.handle(Event("Fetch.requestPaused", params, "s9"))
    assert sent[-1][0] == "Fetch.failRequest"


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "[fe80::1]"])
def test_a_name_that_resolves_to_a_link_local_address_is_left_again(make, sent, address):
    targets = make()
    targets.handle(attached("t1", "s1"))
    response = {"url": "http://rebound.test/", "remoteIPAddress": address}
    params = {"requestId": "r", "type": "Document", "response": response}
    targets.handle(Event("Network.responseReceived", params, "s1"))
    assert sent[-1] == ("Page.navigate", {"url": "about:blank"}, "s1")
    assert targets.tabs["t1"].blocked[0].late


def test_news_are_told_once(make):
    targets = make()
    targets.handle(attached("t1", "s1"))
    targets.handle(dialog("s1", "alert"))
    targets.handle(Event("Browser.downloadWillBegin", {"url": "http://a.test/f.zip"}))
    targets.forget_news()
    assert (targets.tabs["t1"].dialogs, targets.downloads) == ([], [])
