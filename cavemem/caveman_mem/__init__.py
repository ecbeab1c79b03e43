"""Facts that last: remember, recall, supersede, forget. The face for users; loads nothing until asked."""

# `typing` alone would take a third of what a cold recall may cost.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from caveman_mem.hits import Hit
    from caveman_mem.memory import Forgotten, Memory, Recall
    from caveman_mem.store import MemoryStore

__all__ = ["Forgotten", "Hit", "Memory", "MemoryStore", "Recall"]


def __getattr__(name: str) -> "Any":
    """Import what is asked for, when it is asked for (PEP 562)."""
    if name == "MemoryStore":
        from caveman_mem.store import MemoryStore

        return MemoryStore
    if name == "Hit":
        from caveman_mem.hits import Hit

        return Hit
    if name in __all__:
        from caveman_mem import memory

        return getattr(memory, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
