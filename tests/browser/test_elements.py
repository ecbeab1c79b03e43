"""From a reference to a point on the screen, over a link that answers from a list; `test_writer` has a real page."""

import time

import pytest

from caveman_browser import elements, errors
from caveman_browser.elements import Element, Elements
from caveman_browser.targets import Tab

BUTTON = Element("obj-1", "S", "TOP")


class Link:
    """Answers ``probe`` questions and methods: a value, an error, a function, or a list of them, one a call."""

    def __init__(self, **answers):
        self.answers = {"scroll": None, "covered": None, **answers}
        self.calls = []
        self.limits = []

    def call(self, method, params, session, timeout):
        name = method.split(".")[1]
        if name == "callFunctionOn":
            name = params["arguments"][0]["value"]
        self.calls.append((name, session))
        self.limits.append(timeout)
        found = self.answers.get(name, {})
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if callable(found):
            found = found(params)
        if isinstance(found, Exception):
            raise found
        if method == "Runtime.callFunctionOn" and not (isinstance(found, dict) and "raw" in found):
            return {"result": {"value": found}}
        return found["raw"] if isinstance(found, dict) and "raw" in found else found


def over(link, seconds=20.0, **frames):
    tab = Tab("TOP", "S", None, 0.0, frames={"TOP": "S", **frames})
    return Elements(link, tab, time.monotonic() + seconds)


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    """Wait for milliseconds where a page gets seconds."""
    monkeypatch.setattr(elements, "_PATIENCE", 0.05)
    monkeypatch.setattr(elements, "_AGAIN", 0.001)


def test_the_probe_is_one_function_expression():
    assert elements._PROBE.startswith("async function")


def test_an_element_is_found_in_a_world_of_its_own():
    link = Link(createIsolatedWorld={"executionContextId": 7}, resolveNode={"object": {"objectId": "o"}})
    assert over(link).find(5, "S2", "F2") == Element("o", "S2", "F2")
    assert link.calls == [("createIsolatedWorld", "S2"), ("resolveNode", "S2")]


@pytest.mark.parametrize("method", ["createIsolatedWorld", "resolveNode"])
@pytest.mark.parametrize("error", [errors.ProtocolError("No node with given id"), errors.TargetGone("gone")])
def test_an_element_that_has_gone_is_a_stale_reference(method, error):
    link = Link(**{"createIsolatedWorld": {"executionContextId": 7}, method: error})
    with pytest.raises(errors.StaleReference) as stale:
        over(link).find(5, "S", "TOP")
    assert stale.value.hint


def test_a_call_has_the_time_that_is_left_and_never_less_than_a_moment():
    late, early = Link(), Link()
    over(late, -5).call("A.b", {})
    over(early, 9).call("A.b", {})
    assert late.limits == [0.1]
    assert 8 < early.limits[0] <= 9


def test_a_question_is_answered_by_its_value_and_nothing_is_none():
    assert over(Link(target={"a": [1]})).ask(BUTTON, "target") == {"a": [1]}
    assert over(Link(target={"raw": {"result": {"type": "undefined"}}})).ask(BUTTON, "target") is None


def test_another_element_is_held_in_the_same_frame():
    link = Link(target={"raw": {"result": {"objectId": "other"}}})
    assert over(link).follow(BUTTON, "target") == Element("other", "S", "TOP")
    assert over(Link(target={"raw": {"result": {"value": None}}})).follow(BUTTON, "target") is None


def test_an_exception_in_the_page_is_told_by_its_first_line():
    failed = {
        "exceptionDetails": {"text": "Uncaught", "exception": {"description": "Error: no option x\n  at y"}}
    }
    with pytest.raises(errors.NotActionable, match=r"no option x\Z"):
        over(Link(choose={"raw": failed})).ask(BUTTON, "choose", "x")


@pytest.mark.parametrize("details", [{}, {"text": ""}, {"exception": {}}, {"exception": {"description": ""}}])
def test_an_exception_without_words_is_an_error_all_the_same(details):
    with pytest.raises(errors.NotActionable):
        over(Link(choose={"raw": {"exceptionDetails": details}})).ask(BUTTON, "choose")


def test_a_question_to_a_context_that_has_gone_is_a_stale_reference():
    with pytest.raises(errors.StaleReference):
        over(Link(target=errors.ProtocolError("Cannot find context"))).ask(BUTTON, "target")


def test_an_element_in_the_main_frame_is_hit_where_it_is():
    link = Link(ready={"x": 3, "y": 4})
    assert over(link).point(BUTTON) == (3, 4)
    assert [name for name, _ in link.calls] == ["scrollIntoViewIfNeeded", "ready", "covered"]


def test_an_element_that_cannot_be_scrolled_to_is_asked_all_the_same():
    assert over(Link(scrollIntoViewIfNeeded=errors.ProtocolError("no box"), ready={"x": 1, "y": 2})).point(
        BUTTON
    )


def test_an_element_that_comes_to_rest_is_hit_then():
    link = Link(ready=[{"why": "moving"}, {"why": "moving"}, {"x": 1, "y": 2}])
    assert over(link).point(BUTTON) == (1, 2)


@pytest.mark.parametrize("why", ["disabled", "not visible", "moving"])
def test_an_element_that_stays_unfit_is_refused_with_the_reason_and_a_hint(why):
    with pytest.raises(errors.NotActionable, match=why) as refused:
        over(Link(ready={"why": why})).point(BUTTON)
    assert refused.value.hint


def test_an_element_that_left_its_document_is_stale_at_once():
    link = Link(ready={"why": "detached"})
    with pytest.raises(errors.StaleReference):
        over(link).point(BUTTON)
    assert [name for name, _ in link.calls].count("ready") == 1


def test_under_a_bar_the_page_is_scrolled_until_the_element_shows():
    link = Link(ready={"x": 1, "y": 2}, covered=["div#bar", "div#bar", ""])
    assert over(link).point(BUTTON) == (1, 2)
    assert [name for name, _ in link.calls].count("scroll") == 2


def test_what_covers_an_element_is_named_in_quotes():
    with pytest.raises(errors.NotActionable, match='covered by "div#consent Accept all"'):
        over(Link(ready={"x": 1, "y": 2}, covered="div#consent Accept all")).point(BUTTON)


def test_the_patience_ends_with_the_time_that_is_left():
    link = Link(ready={"why": "moving"})
    with pytest.raises(errors.NotActionable):
        over(link, -1).point(BUTTON)
    assert [name for name, _ in link.calls].count("ready") == 1


def framed(**more):
    """A link to a page whose frame INNER stands in MIDDLE, and that in TOP."""
    tree = {
        "frame": {"id": "TOP"},
        "childFrames": [{"frame": {"id": "MIDDLE"}, "childFrames": [{"frame": {"id": "INNER"}}]}],
    }
    answers = {
        "ready": {"x": 1, "y": 2},
        "inside": {"x": 10, "y": 100},
        "getFrameOwner": {"backendNodeId": 4},
        "getFrameTree": {"frameTree": tree},
        "createIsolatedWorld": {"executionContextId": 7},
        "resolveNode": lambda params: {"object": {"objectId": f"owner-{params['backendNodeId']}"}},
    }
    return Link(**{**answers, **more})


def test_a_point_in_frames_is_moved_by_each_of_them_and_may_be_covered_in_none():
    link = framed()
    assert over(link, MIDDLE="S", INNER="S").point(Element("o", "S", "INNER")) == (21, 202)
    assert [name for name, _ in link.calls].count("covered") == 3
    with pytest.raises(errors.NotActionable, match="covered"):
        over(framed(covered=["", "p", "", "p"])).point(Element("o", "S", "INNER"))


def test_the_owner_of_a_frame_of_another_process_is_asked_of_the_others():
    def owner(params):
        return errors.ProtocolError("not mine") if link.calls[-1][1] == "S" else {"backendNodeId": 4}

    link = framed(getFrameOwner=owner, getFrameTree={"frameTree": {"frame": {"id": "TOP"}}})
    assert over(link, FAR="S2").point(Element("o", "S2", "FAR")) == (11, 102)


def test_a_frame_that_nobody_holds_any_more_is_stale():
    link = framed(getFrameOwner=errors.ProtocolError("Frame not found"))
    with pytest.raises(errors.StaleReference):
        over(link).point(Element("o", "S", "GONE"))
