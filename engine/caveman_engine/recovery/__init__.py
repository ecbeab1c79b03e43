"""The face of Context Recovery for users: the store and the shapes it keeps. Loads each on first use."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caveman_engine.recovery.records import Record, StoreStats, TypedObject
    from caveman_engine.recovery.store import RecoveryStore

__all__ = ["Record", "RecoveryStore", "StoreStats", "TypedObject"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "RecoveryStore":
        from caveman_engine.recovery.store import RecoveryStore

        return RecoveryStore
    from caveman_engine.recovery import records

    return getattr(records, name)
