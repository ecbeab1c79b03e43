"""Codes and exit statuses are a promise."""

import pytest

from caveman_engine.errors import CavemanError
from caveman_mem import errors

KINDS = [
    kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.MemoryFault)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_has_a_code_of_its_own_and_a_line_in_the_tree(kind):
    assert issubclass(kind, CavemanError)
    assert kind.code.startswith("cave_")
    assert [other for other in KINDS if other.code == kind.code] == [kind]
    assert kind.__name__ in errors.__doc__
    assert kind.__doc__


def test_exit_statuses_are_those_of_the_table():
    assert {kind.exit_status for kind in KINDS} <= {1, 2, 65, 78}
    assert errors.MemoryTooLarge.exit_status == 65
    assert errors.SecretFound.exit_status == 78
