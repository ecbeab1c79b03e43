"""Type-checked, not run: the faces give the types that their readers rely on."""

from typing import assert_type

from caveman_engine import Engine, RecoveryStore, Result


def engine() -> None:
    """Use the engine as its documentation shows."""
    store = RecoveryStore.open()
    box = Engine(store=store)
    result = box.compress(b"...", kind=None, query="what failed", max_tokens=500)
    assert_type(result, Result)
    assert_type(result.output, bytes)
    assert_type(result.recovery_handle, str | None)
    assert_type(box.retrieve("ccr_…"), bytes)
    assert_type(box.detect("..."), list[tuple[str, float]])
