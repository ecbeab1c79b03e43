"""Exact captures in the engine's shared recovery store: kept before a view of them is shown, given back byte for byte.

Knows the store and what a capture's record says; not how a capture is made.
"""

from typing import Any

from caveman_engine.recovery import Record, RecoveryStore

CONTENT_TYPE = "a11y"
_BLOCK = 8192


class Captures:
    """The store: the caller's, or the shared one, opened at first use."""

    def __init__(self, store: RecoveryStore | None = None) -> None:
        self._store = store
        self._owned = store is None
        self._last: str | None = None

    def keep(self, data: bytes, *, view: str, metadata: dict[str, Any]) -> None:
        """Store a capture under its handle. Raises the store's own errors when it cannot be kept."""
        from caveman_engine.tokens import count

        record = Record(
            content_type=CONTENT_TYPE,
            compressor="browser",
            tokens_before=estimate(data),
            tokens_after=count(view),
            view_bytes=len(view.encode()),
            metadata=metadata,
        )
        self._last = self._open().put(record, data)

    def give_back(self, reference: str | None) -> bytes | None:
        """Give the exact bytes under a reference, or of the last capture; None when there was none yet."""
        wanted = reference or self._last
        return None if wanted is None else self._open().get(wanted)

    def close(self) -> None:
        """Close the store, unless it is the caller's."""
        if self._store is not None and self._owned:
            self._store.close()
            self._store = None

    def _open(self) -> RecoveryStore:
        if self._store is None:
            self._store = RecoveryStore.open()
        return self._store


def estimate(data: bytes) -> int:
    """Give the tokens of a capture: counted, or from an eighth of a large one, taken evenly."""
    from caveman_engine.tokens import count

    if len(data) <= 8 * _BLOCK:
        return count(data.decode("utf-8", "replace"))
    sample = b"".join(data[at : at + _BLOCK] for at in range(0, len(data), 8 * _BLOCK))
    return round(count(sample.decode("utf-8", "replace")) * len(data) / len(sample))
