import json

import pytest

from caveman_browser import errors
from caveman_browser.connection import Connection


def reply(call, **result):
    return json.dumps({"id": call.id, "result": result}).encode()


def event(method, session=None, **params):
    message = {"method": method, "params": params}
    return json.dumps(message | ({"sessionId": session} if session else {})).encode()


def test_a_reply_ends_its_own_call_and_no_other():
    connection = Connection()
    one, _ = connection.request("A.a")
    two, _ = connection.request("A.b")
    assert connection.receive(reply(two, x=2)) is None
    assert (one.done, two.done, two.result) == (False, True, {"x": 2})


def test_bytes_of_no_protocol_change_nothing():
    connection = Connection()
    call, _ = connection.request("A.a")
    assert connection.receive(b"garbage") is None
    assert not call.done


def test_an_unknown_id_is_dropped():
    assert Connection().receive(b'{"id":99,"result":{}}') is None


def test_chromes_error_names_the_method_and_its_words():
    connection = Connection()
    call, _ = connection.request("Accessibility.getFullAXTree")
    connection.receive(json.dumps({"id": call.id, "error": {"message": "method not found"}}).encode())
    assert isinstance(call.error, errors.ProtocolError)
    assert "Accessibility.getFullAXTree: method not found" in str(call.error)


def test_calls_of_a_detached_session_fail_and_the_others_wait_on():
    connection = Connection()
    gone, _ = connection.request("A.a", session="s1")
    stays, _ = connection.request("A.a", session="s2")
    assert connection.receive(event("Target.detachedFromTarget", sessionId="s1")).method
    assert isinstance(gone.error, errors.TargetGone)
    assert not stays.done


def test_calls_of_a_crashed_page_fail():
    connection = Connection()
    call, _ = connection.request("A.a", session="s1")
    connection.receive(event("Inspector.targetCrashed", "s1"))
    assert isinstance(call.error, errors.PageCrashed)


def test_a_closed_connection_fails_every_call_and_refuses_new_ones():
    connection = Connection()
    calls = [connection.request("A.a")[0] for _ in range(3)]
    connection.close("the browser has gone")
    assert all(isinstance(call.error, errors.BrowserLost) for call in calls)
    assert connection.pending == 0
    with pytest.raises(errors.BrowserLost, match="the browser has gone"):
        connection.request("A.b")


def test_the_first_reason_of_a_close_is_kept():
    connection = Connection()
    connection.close("first")
    connection.close("second")
    assert connection.closed == "first"


def test_an_abandoned_call_takes_no_late_reply():
    connection = Connection()
    call, _ = connection.request("A.a")
    connection.abandon(call)
    connection.receive(reply(call, x=1))
    assert not call.done
