"""The life of a fact after it was written: supersede, history, edit, forget. Each one immediate transaction.

Knows rows and the index; knows no recovery copies, commands or replies.
"""

from collections.abc import Sequence
from time import time_ns
from typing import Any

from caveman_engine.database import Database
from caveman_mem import index, writing
from caveman_mem.errors import AlreadyCurrent, BrokenHistory, NotCurrent, UnknownMemory
from caveman_mem.identity import folded
from caveman_mem.memory import COLUMNS, Memory


def get(database: Database | None, name: str) -> Memory:
    """Read one fact.

    Raises:
        UnknownMemory: no fact has that id.
    """
    row = database.row(f"SELECT {COLUMNS} FROM memory WHERE id = ?", (name,)) if database else None
    if row is None:
        raise UnknownMemory(f"no memory has the id {name}", hint="caveman mem list shows the ids")
    return Memory.of(row)


def supersede(database: Database, name: str, draft: writing.Draft) -> tuple[str, bool]:
    """Put a new version, of the same scope, in the place of a current fact; gives (its id, already known).

    Raises:
        UnknownMemory, NotCurrent: there is nothing current to supersede; nothing was stored.
        AlreadyCurrent: the text is another current fact.
    """
    with database.transaction():
        old = get(database, name)
        _must_be_current(database, old, draft.at)
        if draft.folded == folded(old.text):
            return old.id, True
        ((new, known),) = writing.add(database, [draft])
        if known:
            raise AlreadyCurrent(
                f"that text is current already as {new}",
                hint=f"caveman mem forget {name} leaves {new} as the one that holds",
            )
        database.execute(
            "UPDATE memory SET valid_until = ?, superseded_by = ? WHERE id = ?", (draft.at, new, name)
        )
        database.execute("UPDATE memory SET supersedes = ? WHERE id = ?", (name, new))
    return new, False


def _must_be_current(database: Database, memory: Memory, now: int) -> None:
    if memory.superseded_by is not None:
        newest = history(database, memory.id)[-1]
        raise NotCurrent(
            f"{memory.id} was superseded already", where=f"current is {newest.id}", hint="supersede that one"
        )
    if memory.expires_at is not None and memory.expires_at <= now:
        raise NotCurrent(f"{memory.id} has expired", hint="remember the new text as a fact of its own")


# One statement, so that the chain is of one moment: every row that a link of any direction leads to.
_LINKED = f"""WITH RECURSIVE linked (id) AS (
    VALUES (?)
    UNION SELECT memory.id FROM linked JOIN memory ON memory.supersedes = linked.id
    UNION SELECT memory.id FROM linked JOIN memory ON memory.superseded_by = linked.id
    UNION SELECT supersedes FROM linked JOIN memory USING (id) WHERE supersedes IS NOT NULL
    UNION SELECT superseded_by FROM linked JOIN memory USING (id) WHERE superseded_by IS NOT NULL
) SELECT {COLUMNS} FROM linked JOIN memory USING (id)"""


def history(database: Database | None, name: str) -> list[Memory]:
    """Give the whole chain of versions that a fact belongs to, oldest first.

    Raises:
        UnknownMemory: no fact has that id.
        BrokenHistory: a version is missing or two do not name each other; never a part of the chain.
    """
    get(database, name)
    rows = database.rows(_LINKED, (name,)) if database else []
    found = {memory.id: memory for memory in map(Memory.of, rows)}
    older = None
    chain: list[Memory] = []
    current = next((memory for memory in found.values() if memory.supersedes is None), None)
    while current is not None and current.supersedes == older and len(chain) < len(found):
        chain.append(current)
        older = current.id
        current = found.get(current.superseded_by or "")
    if len(chain) < len(found) or current is not None or not chain or chain[-1].superseded_by is not None:
        raise BrokenHistory(
            f"the versions of {name} do not hold together", hint="caveman mem doctor counts such memories"
        )
    return chain


def edit(database: Database, name: str, columns: dict[str, Any]) -> Memory:
    """Change what is beside the text: ``tags``, ``kind``, ``pinned``, ``expires_at``. Creation stays as it is.

    Raises:
        UnknownMemory: no fact has that id.
    """
    with database.transaction():
        memory = get(database, name)
        if "tags" in columns:
            _retag(database, memory, columns["tags"])
        others = {column: value for column, value in columns.items() if column != "tags"}
        for column, value in others.items():
            database.execute(f"UPDATE memory SET {column} = ? WHERE id = ?", (value, name))
        return get(database, name)


def _retag(database: Database, memory: Memory, tags: Sequence[str]) -> None:
    number, terms, length = database.rows(
        "SELECT number, terms, length FROM memory WHERE id = ?", (memory.id,)
    )[0]
    index.remove(database, number, terms, length)
    terms, length = index.terms_of(memory.text, memory.scope, tags)
    database.execute(
        "UPDATE memory SET tags = ?, terms = ?, length = ? WHERE number = ?",
        (writing.tags_json(tags), terms, length, number),
    )
    index.add(database, [(number, terms, length)])


def forget(database: Database, names: Sequence[str]) -> tuple[list[Memory], list[str]]:
    """Delete rows and what the index holds of them, relink their neighbours; all of them or none.

    Gives (the deleted facts, ids of predecessors that hold again because their only successor is gone). A
    predecessor that has expired does not come back.

    Raises:
        UnknownMemory: one of the ids is not there; nothing was removed.
    """
    gone: list[Memory] = []
    again: list[str] = []
    with database.transaction():
        for name in dict.fromkeys(names):
            memory = get(database, name)
            number, terms, length = database.rows(
                "SELECT number, terms, length FROM memory WHERE id = ?", (name,)
            )[0]
            index.remove(database, number, terms, length)
            database.execute("DELETE FROM memory WHERE number = ?", (number,))
            gone.append(memory)
            again += _relink(database, memory)
        # Deleted terms stay in the index's segments until these are merged.
        database.execute("INSERT INTO memory_index (memory_index) VALUES ('optimize')")
        database.execute("UPDATE corpus SET erasing = 1")
    names = {memory.id for memory in gone}  # type: ignore[assignment]
    return gone, [name for name in dict.fromkeys(again) if name not in names]


def _relink(database: Database, gone: Memory) -> list[str]:
    """Join the neighbours of a deleted fact; give the one that holds again."""
    older, newer = gone.supersedes, gone.superseded_by
    if newer is not None:
        database.execute("UPDATE memory SET supersedes = ? WHERE id = ?", (older, newer))
    if older is None:
        return []
    if newer is not None:
        database.execute(
            "UPDATE memory SET superseded_by = ?, valid_until = (SELECT valid_from FROM memory WHERE id = ?)"
            " WHERE id = ?",
            (newer, newer, older),
        )
        return []
    database.execute("UPDATE memory SET superseded_by = NULL WHERE id = ?", (older,))
    # Not when it has expired, nor when the same text was remembered anew meanwhile.
    again = database.execute(
        """UPDATE memory SET valid_until = NULL WHERE id = ? AND coalesce(expires_at > ?, 1) AND NOT EXISTS (
            SELECT 1 FROM memory AS other WHERE other.valid_until IS NULL AND other.id != memory.id
            AND (other.id = coalesce(memory.identity, memory.id)
                OR other.identity = coalesce(memory.identity, memory.id)))""",
        (older, time_ns()),
    )
    return [older] if again else []
