"""The vocabulary between pipeline and compressors cannot be changed by a compressor."""

import dataclasses

import pytest

from caveman_engine.views import Request, View


@pytest.mark.parametrize(
    "shape", [Request("q", 100), View("x", True, "lines", 1, 1, "m")], ids=["request", "view"]
)
def test_a_shape_is_frozen(shape):
    field = dataclasses.fields(shape)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(shape, field, None)


def test_a_request_is_soft_unless_a_bound_was_given():
    assert not Request(None, 100).hard
