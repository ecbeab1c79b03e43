"""A fact as the Python API and the files show it. Shapes only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from json import loads
from typing import Any

from caveman_mem import times
from caveman_mem.hits import Hit

COLUMNS = (
    "id, text, scope, created_at, valid_from, valid_until, supersedes, superseded_by, tags, kind, source, "
    "session, pinned, expires_at, tokens, occurrence"
)
_TIMES = ("created_at", "valid_from", "valid_until", "expires_at")


@dataclass(frozen=True, slots=True)
class Memory:
    """One fact. Times are integer nanoseconds UTC; ``tokens`` is an o200k_base count (inferred) or None.

    ``occurrence`` counts earlier rows of the same text in the scope. ``already_known`` is True only in the
    answer to a remember that stored nothing new.
    """

    id: str
    text: str
    scope: str
    created_at: int
    valid_from: int
    valid_until: int | None
    supersedes: str | None
    superseded_by: str | None
    tags: tuple[str, ...]
    kind: str | None
    source: str
    session: str | None
    pinned: bool
    expires_at: int | None
    tokens: int | None
    occurrence: int = 0
    already_known: bool = False

    @classmethod
    def of(cls, row: Sequence[Any], *, already_known: bool = False) -> "Memory":
        """Make it from a row of `COLUMNS`."""
        values = dict(zip(COLUMNS.split(", "), row, strict=True))
        values.update(tags=tuple(loads(values["tags"])), pinned=bool(values["pinned"]))
        return cls(**values, already_known=already_known)

    @classmethod
    def from_export(cls, row: dict[str, Any]) -> "Memory":
        """Make it from a checked line of an export, whose times have been read."""
        values: dict[str, Any] = {name: row.get(name) for name in COLUMNS.split(", ")}
        created = row["created_at"]
        values.update(
            tags=tuple(row["tags"]), pinned=bool(row.get("pinned")), valid_from=row["valid_from"] or created
        )
        return cls(**values)

    @property
    def current(self) -> bool:
        """Tell whether nothing superseded it; expiry is for the clock to say."""
        return self.valid_until is None

    def as_dict(self) -> dict[str, Any]:
        """Give the fact as ``--json`` and the export show it: times in RFC 3339, local."""
        shown = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "already_known"}
        return {**shown, "tags": list(self.tags), **{name: times.shown(shown[name]) for name in _TIMES}}


@dataclass(frozen=True, slots=True)
class Recall:
    """What a recall found: hits best first, ids that were left out, and the reply that fits the budget.

    ``note`` says why nothing could be found, or to what the limit was clamped. ``explained``: one row a hit on
    how its score came about, when that was asked for.
    """

    hits: list[Hit]
    omitted: tuple[str, ...]
    reply: str = field(repr=False)
    note: str | None = None
    explained: tuple[dict[str, Any], ...] = ()

    @property
    def tokens(self) -> int:
        """Count the reply's tokens (inferred); loads the tokenizer."""
        from caveman_engine import tokens

        return tokens.count(self.reply)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forget took away. ``current_again``: facts whose successor is gone and that hold once more.

    ``erased`` is False while a reader keeps old pages alive: the bytes go with the next write.
    """

    ids: tuple[str, ...]
    current_again: tuple[str, ...]
    copies: int
    erased: bool


def hit_dict(hit: Hit) -> dict[str, Any]:
    """Give a hit as ``--json`` shows it."""
    return {
        "id": hit.id,
        "text": hit.text,
        "whole": hit.whole,
        "score": hit.score,
        "matched": list(hit.matched),
        "created_at": times.shown(hit.created_at),
        "scope": hit.scope,
        "tags": list(hit.tags),
        "kind": hit.kind,
        "source": hit.source,
        "tokens": hit.tokens,
        "recovery_handle": hit.recovery_handle,
    }
