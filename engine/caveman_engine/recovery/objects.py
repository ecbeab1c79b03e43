"""Typed objects: the closed set of types, how an object is named, and which changes of state are allowed.

Tables and pure functions. Must never know a store.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from caveman_engine.errors import UsageError
from caveman_engine.recovery.records import Currentness, Lifecycle

TYPES = (
    "FileObservation",
    "SearchResult",
    "CommandResult",
    "TestResult",
    "BuildResult",
    "DiffSnapshot",
    "TaskContract",
    "TaskDecision",
    "ExecutionState",
    "DocumentationExcerpt",
    "BrowserSnapshot",
    "RepositoryMap",
    "EvidenceBundle",
)

# What was observed can be found true again; what is archived stays so.
CURRENTNESS: dict[Currentness, tuple[Currentness, ...]] = {
    "current": ("stale", "archived"),
    "stale": ("current", "archived"),
    "archived": (),
}
# Cooling goes step by step, as does the way back; archiving is possible from anywhere and is undone to cold only.
LIFECYCLE: dict[Lifecycle, tuple[Lifecycle, ...]] = {
    "hot": ("warm", "archived"),
    "warm": ("hot", "cold", "archived"),
    "cold": ("warm", "archived"),
    "archived": ("cold",),
}


def object_id(kind: str, session_id: str, source: str, repository_state: str, content_hash: str) -> str:
    """Name an object by what makes it one: the same observation made again has the same id.

    Raises:
        UsageError: the type is not in the set, or a part holds a NUL, which joins the parts.
    """
    if kind not in TYPES:
        raise UsageError(f"{kind!r} is no object type", hint="one of " + ", ".join(TYPES))
    parts = (kind, session_id, source, repository_state, content_hash)
    if any("\0" in part for part in parts):
        raise UsageError("session, source and repository state cannot hold a NUL")
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass"))
    return "ccr_obj_" + digest.hexdigest()[:32]


def check_transition(table: Mapping[Any, tuple[str, ...]], before: str, after: str) -> None:
    """Allow a change that the table names, and no change at all.

    Raises:
        UsageError: no such state, or no way from ``before`` to it.
    """
    if after not in table:
        raise UsageError(f"{after!r} is no state", hint="one of " + ", ".join(table))
    if after != before and after not in table[before]:
        allowed = " or ".join(table[before]) or "nothing else"
        raise UsageError(f"{before} cannot become {after}", hint=f"it can become {allowed}")


def as_text(data: Mapping[str, Any]) -> str:
    """Give metadata or an object's data as it is stored: JSON in ASCII, keys sorted, empty for none.

    Raises:
        UsageError: it is no JSON.
    """
    try:
        return json.dumps(data, sort_keys=True, allow_nan=False) if data else ""
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"metadata and data must be JSON: {error}") from error
