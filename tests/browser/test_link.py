import json
import queue
import threading

import pytest

from caveman_browser import errors
from caveman_browser.link import Link


class Memory:
    """A transport in memory: ``answer`` gives the messages that a sent one brings back."""

    def __init__(self, answer):
        self._answer = answer
        self._in = queue.Queue()
        self.sent = []

    def send(self, message):
        self.sent.append(json.loads(message))
        for each in self._answer(self.sent[-1]):
            self._in.put(json.dumps(each).encode())

    def messages(self):
        while (message := self._in.get()) is not None:
            yield message

    def close(self):
        self._in.put(None)


@pytest.fixture
def linked():
    made = []

    def linked(answer, on_event=lambda event: None):
        link = Link(transport := Memory(answer))
        link.start(on_event)
        made.append(link)
        return link, transport

    yield linked
    for link in made:
        link.close()


def test_a_call_gives_its_result(linked):
    link, _ = linked(lambda sent: [{"id": sent["id"], "result": {"method": sent["method"]}}])
    assert link.call("A.a") == {"method": "A.a"}


def test_a_call_without_an_answer_ends_at_its_deadline(linked):
    link, _ = linked(lambda sent: [])
    with pytest.raises(errors.DeadlineExceeded, match=r"A\.a"):
        link.call("A.a", timeout=0.05)


def test_calls_from_many_threads_each_get_their_own_answer(linked):
    link, _ = linked(lambda sent: [{"id": sent["id"], "result": {"n": sent["params"]["n"]}}])
    got = {}
    threads = [
        threading.Thread(target=lambda n=n: got.update({n: link.call("A", {"n": n})["n"]})) for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == {n: n for n in range(20)}


def test_a_dialog_is_answered_while_the_call_that_opened_it_waits(linked):
    def answer(sent):
        if sent["method"] == "Input.click":
            return [{"method": "Page.javascriptDialogOpening", "params": {}}]
        return [{"id": 1, "result": {"clicked": True}}]

    link, transport = linked(answer, lambda event: link.post("Page.handleJavaScriptDialog"))
    assert link.call("Input.click", timeout=5) == {"clicked": True}
    assert transport.sent[-1]["method"] == "Page.handleJavaScriptDialog"


def test_the_end_of_the_transport_ends_the_call_that_waits(linked):
    link, transport = linked(lambda sent: [])
    threading.Timer(0.05, transport.close).start()
    with pytest.raises(errors.BrowserLost):
        link.call("A.a", timeout=5)
    assert link.lost


def test_a_post_after_the_end_is_silent(linked):
    link, _ = linked(lambda sent: [])
    link.close()
    link.post("A.a")


def test_waiting_ends_with_the_event_that_makes_it_true(linked):
    seen = []
    link, _ = linked(lambda sent: [{"method": "E.e", "params": {}}], seen.append)
    link.post("A.a")
    assert link.wait_for(lambda: bool(seen), 5)
    assert not link.wait_for(lambda: False, 0.01)
