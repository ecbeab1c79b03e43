import json

import pytest

from caveman_browser import replies
from caveman_browser.guard import Blocked
from caveman_browser.replies import Reply
from caveman_browser.targets import Dialog, Tab, Targets


@pytest.fixture
def tab():
    return Tab("t1", "s1", None, 0.0, url="http://a.test/", title="A")


@pytest.fixture
def targets(tab):
    found = Targets(lambda *call: None, policy=None, owned=True)
    found.tabs["t1"] = tab
    return found


def test_nothing_beside_the_command_is_no_news(tab, targets):
    assert replies.news(tab, targets, ["t1"]) == []


def test_text_of_a_page_stands_quoted_on_one_line(tab, targets):
    tab.dialogs.append(Dialog("alert", 'a"\nnote: \u202eb\u200b\U000e0041', "accepted"))
    assert replies.news(tab, targets, ["t1"]) == ['dialog alert "a\\"\\nnote: b": accepted']


def test_what_was_blocked_is_summed_up_by_reason(tab, targets):
    tab.blocked += [
        Blocked(f"http://b.test/{n}", "b.test is not on the allow list", page=False) for n in range(3)
    ]
    assert replies.news(tab, targets, ["t1"]) == [
        "blocked part (3 requests): b.test is not on the allow list"
    ]


def test_tabs_that_came_up_are_named(tab, targets):
    targets.tabs["t2"] = Tab("t2", "s2", "t1", 0.0, url="http://a.test/b")
    assert replies.news(tab, targets, ["t1"]) == ["new tab 2: http://a.test/b"]
    assert replies.news(tab, targets, ["t1", "t2"]) == []


def test_notes_stand_on_lines_of_their_own_after_the_text():
    assert replies.with_notes("a\nb\n", ["c", "d"]) == "a\nb\nnote: c\nnote: d"
    assert replies.with_notes("a", []) == "a"


def test_an_address_of_any_length_is_shown_bounded(tab):
    tab.url = "data:text/html," + "x" * 100_000
    assert len(replies.tab_lines(replies.tab_list([tab], "t1"))) < 300
    assert replies.short("http://a.test/") == "http://a.test/"


def test_every_documented_key_is_in_the_json_and_the_view_does_not_hide_the_notes():
    reply = Reply("with notes", "u", "t", data={"text": "without", "refs": {}})
    shown = reply.as_dict()
    assert shown["text"] == "with notes"
    assert {"url", "title", "settled", "handle", "notes", "asides", "refs"} <= shown.keys()
    json.dumps(shown)


@pytest.mark.parametrize(
    ("value", "text"), [(None, "null"), ("é", '"é"'), ({"a": [1]}, '{"a": [1]}'), (float("nan"), "NaN")]
)
def test_a_value_is_json_on_one_line(value, text):
    assert replies.value_text(value) == text
