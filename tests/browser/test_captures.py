import json

import pytest

from caveman_browser.captures import Captures, estimate
from caveman_engine import tokens
from caveman_engine.recovery import RecoveryStore
from caveman_engine.recovery.pointers import handle_of

TREE = json.dumps([{"role": "row", "name": f"Order {n}", "id": n * 7919} for n in range(9000)]).encode()


@pytest.fixture
def captures():
    kept = Captures(RecoveryStore.in_memory())
    yield kept
    kept.close()


def test_before_any_view_there_is_nothing_to_give_back(captures):
    assert captures.give_back(None) is None


def test_the_last_capture_and_any_by_its_handle_come_back_exactly(captures):
    for data in (b'{"a": 1}', b'{"b": "\xff"}'):
        captures.keep(data, view="v", metadata={})
    assert captures.give_back(None) == b'{"b": "\xff"}'
    assert captures.give_back(handle_of(b'{"a": 1}')) == b'{"a": 1}'


def test_two_views_of_one_capture_keep_their_own_references(captures):
    captures.keep(TREE, view="one", metadata={"references": ["e1"]})
    captures.keep(TREE, view="two", metadata={"references": ["e2"]})
    assert [view.metadata["references"] for view in captures._open().views(handle_of(TREE))] in (
        [["e1"], ["e2"]],
        [["e2"], ["e1"]],
    )


def test_a_small_capture_is_counted_and_a_large_one_estimated_closely():
    small, large = TREE[:5000], TREE
    assert estimate(small) == tokens.count(small.decode())
    assert estimate(large) == pytest.approx(tokens.count(large.decode()), rel=0.03)
