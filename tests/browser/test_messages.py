import json

from hypothesis import given
from hypothesis import strategies as st

from caveman_browser import messages
from caveman_browser.messages import Event, PipeFrames, Reply


@given(st.lists(st.binary(max_size=30).filter(lambda data: b"\0" not in data), max_size=8), st.data())
def test_pipe_frames_give_back_the_messages_however_the_stream_was_cut(sent, data):
    stream = b"".join(each + b"\0" for each in sent)
    frames, got, at = PipeFrames(), [], 0
    while at < len(stream):
        size = data.draw(st.integers(1, 20))
        got += frames.feed(stream[at : at + size])
        at += size
    assert got == sent


def test_a_message_without_its_end_waits_for_it():
    frames = PipeFrames()
    assert frames.feed(b'{"a"') == []
    assert frames.feed(b':1}\0{"b"') == [b'{"a":1}']


@given(st.text(), st.one_of(st.none(), st.text(max_size=5)))
def test_an_encoded_call_is_ascii_and_reads_back(text, session):
    data = messages.encode(7, "Page.navigate", {"url": text + "\ud83d"}, session)
    assert json.loads(data.decode("ascii")).get("sessionId") == session
    assert json.loads(data)["params"]["url"] == text + "\ud83d"


def test_replies_errors_and_events_are_told_apart():
    assert messages.decode(b'{"id":3,"result":{"a":1}}') == Reply(3, {"a": 1})
    assert messages.decode(b'{"id":3,"error":{"message":"no","data":"why"}}') == Reply(3, {}, "no: why")
    assert messages.decode(b'{"method":"A.b","params":{},"sessionId":"s"}') == Event("A.b", {}, "s")


@given(st.binary())
def test_bytes_that_are_no_message_are_none_and_never_an_exception(data):
    assert not isinstance(messages.decode(b"\xff" + data), Reply)


def test_a_lone_surrogate_in_a_message_does_not_break_it():
    assert messages.decode(b'{"id":1,"result":{"v":"bad \\ud83d"}}').result["v"] == "bad \ud83d"
