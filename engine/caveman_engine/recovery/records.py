"""The shapes that a recovery store keeps and gives back. No behaviour, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Currentness = Literal["current", "stale", "archived"]
Lifecycle = Literal["hot", "warm", "cold", "archived"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One view that was made of an original, and where the original is.

    The first part is the caller's, for `RecoveryStore.put`; the store fills in the rest. ``metadata`` is JSON
    and belongs to this view alone. ``view_id`` names the view under its handle; where the caller gives none the
    store derives it from the view's own fields. ``created_at`` and ``seen_at`` (the latest put) are integer
    nanoseconds UTC; sizes are bytes; ``stored_bytes`` is what the original takes after compression.
    """

    content_type: str = ""
    compressor: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    view_bytes: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    view_id: str = ""

    handle: str = ""
    sha256: str = ""
    codec: str = ""
    original_bytes: int = 0
    stored_bytes: int = 0
    created_at: int = 0
    seen_at: int = 0
    pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedObject:
    """One observation with where it came from: immutable but for ``currentness`` and ``lifecycle``.

    ``content_hash`` is the SHA-256 of the content in hex; the content itself is the original under ``handle``.
    ``dependencies`` are handles and object ids that were in the same store when the object was put.
    """

    object_id: str
    type: str
    content_hash: str
    handle: str
    session_id: str
    source: str
    repository_state: str
    currentness: Currentness
    lifecycle: Lifecycle
    dependencies: tuple[str, ...]
    original_byte_length: int
    stored_byte_length: int
    created_at: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoreStats:
    """What a store holds. ``by_type``: content type -> (views, tokens before, tokens after).

    ``stored_bytes`` is what counts against ``max_bytes``; ``physical_bytes`` is what the files take.
    ``full``: four fifths of the budget are used, time to make room.
    """

    records: int
    objects: int
    by_type: Mapping[str, tuple[int, int, int]]
    stored_bytes: int
    max_bytes: int
    physical_bytes: int
    full: bool


@dataclass(frozen=True, slots=True)
class Removed:
    """What `rm` or `gc` took away, or would: handles, object ids, bytes freed of the budget.

    ``erased`` is False while a reader keeps old pages alive: the bytes go with a later write.
    """

    handles: tuple[str, ...]
    objects: tuple[str, ...]
    freed_bytes: int
    erased: bool = True


@dataclass(frozen=True, slots=True)
class Verified:
    """What `verify` read, and every fault it found, one line each."""

    records: int
    objects: int
    problems: tuple[str, ...]
