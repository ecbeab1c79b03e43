"""The error tree: every code is stable, unique, and says what, where and what to try."""

import pytest

from caveman_engine import errors


def tree(base=errors.CavemanError):
    yield base
    for child in base.__subclasses__():
        if child.__module__ == "caveman_engine.errors":
            yield from tree(child)


def test_no_two_errors_share_a_code():
    codes = [error.code for error in tree()]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("error", list(tree()), ids=lambda error: error.__name__)
def test_an_error_stands_in_the_docstrings_tree_with_a_known_exit_status(error):
    assert error.__name__ in errors.__doc__
    assert error.code.startswith("cave_")
    assert error.exit_status in (1, 2, 65, 78)


def test_an_error_reads_as_code_what_where_and_hint():
    error = errors.UnknownHandle("no record ccr_1", where="/tmp/ccr.db", hint="look in the other store")
    assert str(error) == "cave_unknown_handle: no record ccr_1 (/tmp/ccr.db)\n  hint: look in the other store"
    assert error.as_dict() == {
        "code": "cave_unknown_handle",
        "what": "no record ccr_1",
        "where": "/tmp/ccr.db",
        "hint": "look in the other store",
    }
