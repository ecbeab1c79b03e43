"""What the tests of compressors share: the whole pipeline over an empty in-memory store."""

import pytest

from caveman_engine import Engine, RecoveryStore


@pytest.fixture
def compress():
    """Give a function that compresses a text as a caller would and checks that the way back is exact."""
    engine = Engine(store=RecoveryStore.in_memory())

    def run(text, **options):
        data = text.encode() if isinstance(text, str) else text
        result = engine.compress(data, **options)
        if result.recovery_handle:
            assert engine.retrieve(result.recovery_handle) == data
        else:
            assert result.output == data
        return result

    return run


@pytest.fixture
def lines_of():
    """Give a function that splits a view into its source lines and its markers."""

    def split(result):
        lines = result.output.decode().splitlines()
        own = [line for line in lines if line.startswith("[caveman:")]
        return [line for line in lines if not line.startswith("[caveman:")], own

    return split
