"""Facts as files: JSONL that restores everything, Markdown for reading, and bullets of an agent's notes.

Owns the two formats. Reading is by line: a line that cannot be is named and skipped, the others land.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from caveman_engine.database import Database
from caveman_engine.errors import CavemanError, UsageError
from caveman_mem import index, times, writing
from caveman_mem.errors import BadImport
from caveman_mem.identity import folded, memory_id
from caveman_mem.memory import Memory

if TYPE_CHECKING:
    from caveman_mem.store import MemoryStore

FORMATS = ("jsonl", "md")
_TIMES = ("created_at", "valid_from", "valid_until", "expires_at")
_TEXTS = ("scope", "kind", "source", "session", "supersedes", "superseded_by")


@dataclass(slots=True)
class Imported:
    """What an import did, or would do: new facts, known ones, and (line number, reason) of what was skipped."""

    new: int = 0
    known: int = 0
    skipped: list[tuple[int, str]] = field(default_factory=list)


def export(store: "MemoryStore", format: str = "jsonl") -> Iterator[str]:  # noqa: A002
    """Give every fact of every scope, old versions included, as lines with their ends.

    ``jsonl`` is read back by `import_file` into the same ids, times and histories. ``md`` is for people: the
    current facts as bullets, by scope.

    Raises:
        UsageError: no such format.
    """
    if format not in FORMATS:
        raise UsageError(f"there is no format {format!r}", hint=" or ".join(FORMATS))
    if format == "jsonl":
        for memory in store.list(all_scopes=True, superseded=True):
            yield json.dumps(memory.as_dict(), ensure_ascii=False) + "\n"
        return
    facts = store.list(all_scopes=True)
    for scope in sorted({memory.scope for memory in facts}):
        yield f"## {scope}\n\n"
        for memory in facts:
            if memory.scope == scope:
                yield "- " + memory.text.rstrip("\n").replace("\n", "\n  ") + "\n"
        yield "\n"


def import_file(
    store: "MemoryStore",
    path: str,
    *,
    markdown: bool = False,
    dry_run: bool = False,
    secrets: str | None = None,
) -> Imported:
    """Read facts from a file: JSONL of `export`, lines of at least ``{"text": …}``, or ``markdown`` bullets.

    A fact with an id is restored as it was; one without is remembered with the source ``import:FILE``.
    ``dry_run`` writes nothing.

    Raises:
        BadImport: the file cannot be read, or not one line of it could be.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadImport(f"cannot read the file: {error.strerror}", where=path) from error
    source = "import:" + os.path.basename(path)
    done = Imported()
    rows = _bullets(data, source) if markdown else _lines(data, source, done)
    facts = list(_screened(rows, secrets or store.secrets, done))
    if done.skipped and not facts:
        raise BadImport("no line of the file is a fact", where=path, hint=_reasons(done.skipped))
    _write(store, facts, done, dry_run=dry_run)
    return done


def _reasons(skipped: list[tuple[int, str]]) -> str:
    return "; ".join(f"line {number}: {reason}" for number, reason in skipped[:3])


def _lines(data: bytes, source: str, done: Imported) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the objects of a JSONL file with their line numbers; note the lines that are none."""
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            _check(row)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            done.skipped.append((number, f"no fact: {error}"))
            continue
        yield number, {**row, "source": row.get("source") or source}


def _check(row: Any) -> None:
    """Raise what `_lines` catches unless the object has the shape of a fact; read its times in place."""
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise TypeError("an object with a text is wanted")
    for name in _TEXTS:
        if row.get(name) is not None and not isinstance(row[name], str):
            raise TypeError(f"{name} must be a text")
    tags = row.setdefault("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError("tags must be a list of texts")
    for name in _TIMES:
        row[name] = None if row.get(name) is None else times.exact(row[name])
    if row.get("id"):
        _check_restored(row)


def _check_restored(row: dict[str, Any]) -> None:
    """Raise what `_lines` catches unless a fact that names its id can be put back under it."""
    numbers = [row.setdefault("occurrence", 0), row["created_at"], row.setdefault("tokens", None) or 0]
    if not all(isinstance(number, int) for number in numbers) or not isinstance(row.get("source", ""), str):
        raise TypeError("a fact with an id has a time of creation, an occurrence and a source")
    if row["id"] != memory_id(row["scope"], folded(row["text"]), row["occurrence"]):
        raise ValueError("the id does not belong to the text")


def _bullets(data: bytes, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the bullets of a Markdown file, each with its continuation lines, outside code blocks."""
    text, start, fenced = "", 0, False
    for number, line in enumerate([*data.decode("utf-8-sig", "replace").splitlines(), ""], 1):
        stripped = line.strip()
        fenced ^= stripped.startswith(("```", "~~~"))
        bullet = not fenced and stripped[:2] in ("- ", "* ", "+ ")
        goes_on = bool(text) and bool(stripped) and line[:1] in " \t" and not bullet and not fenced
        if goes_on:
            text += "\n" + stripped
            continue
        if text:
            yield start, {"text": text, "source": source, "tags": []}
        text, start = (stripped[2:].strip(), number) if bullet else ("", 0)


def _screened(
    rows: Iterator[tuple[int, dict[str, Any]]], policy: str, done: Imported
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Let no text in that remember would refuse; a text that had to be changed is no longer the same fact."""
    for number, row in rows:
        try:
            text = writing.screened(row["text"], policy)
            writing.screen_beside([*row["tags"], *(row.get(name) or "" for name in _TEXTS)], policy)
        except CavemanError as error:
            done.skipped.append((number, f"{error.code}: {error.what}"))
            continue
        yield number, row if text == row["text"] else {**row, "text": text, "id": None}


def _write(
    store: "MemoryStore", facts: list[tuple[int, dict[str, Any]]], done: Imported, *, dry_run: bool
) -> None:
    drafts = [(row, store.draft(row)) for _, row in facts]
    if dry_run:
        stored = {memory.id for memory in store.list(all_scopes=True, superseded=True)}
        done.known = sum((row.get("id") or draft.first) in stored for row, draft in drafts)
        done.new = len(drafts) - done.known
        return
    with store.files.writing(bulk=True) as database:
        for restored, group in groupby(drafts, key=lambda pair: bool(pair[0].get("id"))):
            part = list(group)
            if restored:
                known = _restore(database, [Memory.from_export(row) for row, _ in part])
            else:
                known = [is_known for _, is_known in writing.add(database, [draft for _, draft in part])]
            done.known += sum(known)
            done.new += len(known) - sum(known)


def _restore(database: Database, memories: list[Memory]) -> list[bool]:
    """Put facts back as they were; tell of each whether its id was there already."""
    number = database.value("SELECT max(number) FROM memory") or 0
    rows: dict[str, tuple[object, ...]] = {}
    fresh, known = [], []
    for memory in memories:
        there = database.row("SELECT 1 FROM memory WHERE id = ?", (memory.id,)) is not None
        known.append(there or memory.id in rows)
        if known[-1]:
            continue
        number += 1
        terms, length = index.terms_of(memory.text, memory.scope, memory.tags)
        rows[memory.id] = writing.row_of(memory, number, terms, length)
        fresh.append((number, terms, length))
    writing.insert(database, list(rows.values()))
    index.add(database, fresh)
    return known
