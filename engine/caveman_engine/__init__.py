"""The engine of the Caveman toolkit: recoverable compression. The face for users; loads nothing until asked."""

# `typing` alone would take a third of what a cold recall may cost.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from caveman_engine.engine import Engine, Result, Settings
    from caveman_engine.recovery import RecoveryStore

__all__ = ["Engine", "RecoveryStore", "Result", "Settings"]


def __getattr__(name: str) -> "Any":
    """Import what is asked for, when it is asked for (PEP 562)."""
    if name in ("Engine", "Result", "Settings"):
        from caveman_engine import engine

        return getattr(engine, name)
    if name == "RecoveryStore":
        from caveman_engine.recovery import RecoveryStore

        return RecoveryStore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
