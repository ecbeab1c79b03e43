import pytest

from caveman_browser import settle
from caveman_browser.targets import STREAM, Tab


class Page:
    """A page in memory: ``layouts`` at each look, and a clock that moves with every look."""

    def __init__(self, layouts, *, script=0.1, step=0.05):
        self.layouts, self.script, self.step, self.now, self.looks = layouts, script, step, 100.0, 0

    def __call__(self, method, params=None, session=None):
        assert method == "Performance.getMetrics"
        count = self.layouts[min(self.looks, len(self.layouts) - 1)]
        self.looks += 1
        self.now += self.step
        return {
            "metrics": [
                {"name": "LayoutCount", "value": count},
                {"name": "ScriptDuration", "value": self.script},
            ]
        }

    def clock(self):
        return self.now


@pytest.fixture(autouse=True)
def no_sleep(monkeypatch):
    monkeypatch.setattr(settle.time, "sleep", lambda seconds: None)


@pytest.fixture
def tab():
    return Tab("t", "s", None, 100.0, loader="l", loaded=True, frames={"t": "s"})


def run(page, tab, seconds=15.0):
    return settle.settle(page, tab, page.now + seconds, page.clock)


def test_a_loaded_page_in_which_no_script_ran_rests_at_once(tab):
    page = Page([1], script=0)
    assert run(page, tab)
    assert page.looks == 1


def test_a_page_with_scripts_rests_after_a_quiet_moment(tab):
    page = Page([1])
    assert run(page, tab)
    assert page.now - 100 >= settle.QUIET


def test_a_page_that_has_rested_before_and_did_not_change_rests_at_once(tab):
    tab.active = 50.0
    tab.rest = ("l", 7)
    page = Page([7])
    assert run(page, tab)
    assert page.looks == 1


def test_a_change_since_the_last_rest_is_waited_out(tab):
    tab.active = 50.0
    tab.rest = ("l", 7)
    page = Page([8])
    assert run(page, tab)
    assert page.looks > 1


def test_a_loading_page_that_goes_on_changing_is_not_settled_when_time_is_up(tab):
    tab.loaded = False
    page = Page(list(range(10_000)))
    assert not run(page, tab, 8.0)
    assert page.now - 100 >= 8.0


def test_a_loaded_page_that_never_rests_is_taken_as_it_is(tab):
    page = Page(list(range(10_000)))
    assert not run(page, tab)
    assert page.now - 100 < settle.RESTLESS + 1


def test_a_page_that_never_loads_is_given_up_when_nothing_moves(tab):
    tab.loaded = False
    page = Page([1])
    assert not run(page, tab)
    assert page.now - 100 < STREAM + 1


def test_a_request_in_flight_is_waited_for(tab):
    tab.requests["r"] = 100.0
    page = Page([1], script=0)
    assert not run(page, tab)
    assert page.now - 100 >= STREAM


def test_a_stream_from_before_is_not_waited_for_but_said(tab):
    tab.requests["r"] = 100.0 - STREAM
    page = Page([1], script=0)
    assert not run(page, tab)
    assert page.looks == 1


def test_a_crashed_page_is_not_waited_for(tab):
    tab.crashed = True
    assert not run(Page([1]), tab)
