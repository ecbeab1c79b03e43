"""How a fact becomes a row: identity, secrets, de-duplication, index; one immediate transaction. Start-up path.

Knows rows and the index. Must never know commands, replies or recovery copies.
"""

from time import time_ns

from caveman_engine.database import Database
from caveman_engine.errors import StoreBusy
from caveman_mem import index, secrets
from caveman_mem.errors import BadLabel, OwnOutput
from caveman_mem.identity import folded, memory_id, storable
from caveman_mem.reply import is_own_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from caveman_mem.memory import Memory

COLUMNS = (
    "number, id, identity, occurrence, scope, kind, source, session, created_at, valid_from, valid_until, "
    "expires_at, pinned, supersedes, superseded_by, tokens, length, tags, text, terms"
)
_LABELS = 2000
CURRENT = "valid_until IS NULL AND (expires_at IS NULL OR expires_at > ?)"
_INSERT = f"INSERT INTO memory ({COLUMNS}) VALUES ({', '.join('?' * 20)})"


class Draft:
    """A fact on its way in; times are nanoseconds UTC. ``text`` has passed `screened`.

    ``first`` is the id of the text's first occurrence in the scope.
    """

    __slots__ = (
        "at",
        "expires_at",
        "first",
        "folded",
        "kind",
        "pinned",
        "scope",
        "session",
        "source",
        "tags",
        "text",
        "tokens",
    )

    def __init__(
        self,
        text: str,
        scope: str,
        *,
        at: int | None = None,
        tags: "Sequence[str]" = (),
        kind: str | None = None,
        source: str = "user",
        session: str | None = None,
    ) -> None:
        self.text = text
        self.folded = folded(text)
        self.scope = scope
        self.first = memory_id(scope, self.folded)
        self.at = time_ns() if at is None else at
        self.tags = tags
        self.kind = kind
        self.source = source
        self.session = session
        self.expires_at: int | None = None
        self.pinned = False
        self.tokens: int | None = None


def screened(text: str, policy: str = "refuse") -> str:
    """Give the text as it may be written: private parts out, secrets by ``policy`` (refuse, mask, allow).

    Raises:
        NotText, BlankMemory, MemoryTooLarge, OwnOutput, SecretFound: it may not be written.
    """
    text = storable(text)
    if is_own_output(text):
        raise OwnOutput("this is the tool's own reply, not a new fact", hint="nothing was stored")
    return secrets.screen(text, policy)


def screen_beside(words: "Iterable[str]", policy: str) -> None:
    """Check what stands beside a text (scope, tags, kind, source, ...): short lines without anything private.

    They stand in one header line, which none of them may break or fill. A secret there cannot be masked, so it is
    refused.

    Raises:
        BadLabel: not one line each, a private part, or more than 2,000 characters together.
        SecretFound: unless the policy is to allow.
    """
    room = _LABELS
    for word in words:
        room -= len(word)
        if room < 0 or not _is_line(word) or "<private" in word.casefold():
            raise BadLabel(
                "scope, tags, kind, source and session are short lines of plain text",
                hint=f"at most {_LABELS:,} characters together; what is private goes nowhere",
            )
        secrets.screen(word, "allow" if policy == "allow" else "refuse")


def _is_line(word: str) -> bool:
    """Tell a text without controls, line ends and lone surrogates. Joiners inside a word are none of these."""
    if word.isprintable():
        return True
    from unicodedata import category

    return all(category(char) not in ("Cc", "Cs", "Zl", "Zp") for char in word)


def add(database: Database, drafts: "Sequence[Draft]") -> list[tuple[str, bool]]:
    """Write facts that are not known yet, in order. Gives (id, already known) for each.

    Inside a transaction. A text that was superseded or has expired gets a new row with the next occurrence.
    """
    found: list[tuple[str, bool]] = []
    rows: list[tuple[object, ...]] = []
    fresh: list[tuple[int, str, int]] = []
    known = _known(database, drafts)
    number = database.value("SELECT max(number) FROM memory") or 0
    for draft in drafts:
        first = draft.first
        versions, current = known.get(first, (0, None))
        if current is not None:
            found.append((current, True))
            continue
        number += 1
        name = memory_id(draft.scope, draft.folded, versions) if versions else first
        known[first] = (versions + 1, name)
        found.append((name, False))
        terms, length = index.terms_of(draft.text, draft.scope, draft.tags)
        rows.append(_row(draft, number, name, first if versions else None, versions, length, terms))
        fresh.append((number, terms, length))
    if rows:
        insert(database, rows)
        index.add(database, fresh)
    return found


def erase(database: Database) -> bool:
    """Take forgotten text out of the file and its journal, outside a transaction. False: not possible now.

    What pages keep between their cells is beyond ``secure_delete``, so the file is written anew.
    """
    try:
        database.execute("VACUUM")
        if not database.checkpoint():
            return False
        database.execute("UPDATE corpus SET erasing = 0")
    except StoreBusy:
        return False
    return True


def insert(database: Database, rows: "Sequence[tuple[object, ...]]") -> None:
    """Put rows of `COLUMNS` into the table; the index is the caller's to keep in step."""
    database.executemany(_INSERT, rows)


def _known(database: Database, drafts: "Iterable[Draft]") -> dict[str, tuple[int, str | None]]:
    """Find what is stored of these texts: first id -> (next occurrence, id of the current row or None)."""
    now = time_ns()
    names = [draft.first for draft in drafts]
    known: dict[str, tuple[int, str | None]] = {}
    for start in range(0, len(names), 400):
        part = names[start : start + 400]
        marks = ", ".join("?" * len(part))
        for first, name, occurrence, current in database.rows(
            f"SELECT coalesce(identity, id), id, occurrence, {CURRENT} FROM memory"
            f" WHERE id IN ({marks}) OR identity IN ({marks}) ORDER BY occurrence",
            (now, *part, *part),
        ):
            known[first] = (occurrence + 1, name if current else known.get(first, (0, None))[1])
    return known


def _row(
    draft: Draft, number: int, name: str, identity: str | None, occurrence: int, length: int, terms: str
) -> tuple[object, ...]:
    return (
        number,
        name,
        identity,
        occurrence,
        draft.scope,
        draft.kind,
        draft.source,
        draft.session,
        draft.at,
        draft.at,
        None,
        draft.expires_at,
        int(draft.pinned),
        None,
        None,
        draft.tokens,
        length,
        tags_json(draft.tags),
        draft.text,
        terms,
    )


def tags_json(tags: "Sequence[str]") -> str:
    """Give tags as the column holds them: each once, in order."""
    if not tags:
        return "[]"
    from json import dumps

    return dumps(list(dict.fromkeys(tags)), ensure_ascii=False)


def row_of(memory: "Memory", number: int, terms: str, length: int) -> tuple[object, ...]:
    """Give the row of a fact that is restored from an export."""
    first = memory_id(memory.scope, folded(memory.text))
    return (
        number,
        memory.id,
        first if memory.occurrence else None,
        memory.occurrence,
        memory.scope,
        memory.kind,
        memory.source,
        memory.session,
        memory.created_at,
        memory.valid_from,
        memory.valid_until,
        memory.expires_at,
        int(memory.pinned),
        memory.supersedes,
        memory.superseded_by,
        memory.tokens,
        length,
        tags_json(memory.tags),
        memory.text,
        terms,
    )
