"""Register with agents and take it back: diff first, backup, one atomic write, a receipt of what was added.

Owns the edits of settings files and the receipts in ``installs.db``. An uninstall takes out what the receipt says and
nothing else; an entry that someone changed since is theirs. What each agent needs is in `hosts`.
"""

import difflib
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from caveman_app import jsonc
from caveman_app.hosts import Edit, File
from caveman_engine.config import replace
from caveman_engine.database import Database
from caveman_engine.errors import Refused
from caveman_engine.hardening import make_parents
from caveman_engine.home import home

_SCHEMA = """
CREATE TABLE receipt(
  file    TEXT NOT NULL,   -- the settings file
  what    TEXT NOT NULL,   -- mcp or hooks
  form    TEXT NOT NULL,   -- json, toml or text
  edits   TEXT NOT NULL,   -- JSON: [[path, value, append], ...] as applied
  before  BLOB,            -- the file as it was; null when there was none
  after   TEXT NOT NULL,   -- SHA-256 of the file as we left it
  backup  TEXT,            -- the copy that was made for the owner
  PRIMARY KEY (file, what)
) STRICT;
"""


def _first(database: Database) -> None:
    database.script(_SCHEMA)


_MIGRATIONS = (_first,)


class NotOurs(Refused):
    """An entry of our name that we did not write, or that someone has changed since."""

    code = "cave_entry_changed"


class NoSettings(Refused):
    """The file is no settings file that can be edited without loss."""

    code = "cave_settings_unreadable"


@dataclass(frozen=True, slots=True)
class Change:
    """What one file meets: ``diff`` is empty when it already is as wanted."""

    path: str
    diff: str
    backup: str | None = None


def install(files: Sequence[File], what: str, *, dry_run: bool = False) -> list[Change]:
    """Apply the edits of every file; what is there already is left as it is.

    Raises:
        NotOurs: there is an entry of our name with other contents that no receipt knows. Nothing was written.
        NoSettings: a file is not UTF-8 or not in its form. Nothing was written.
    """
    known = installed(what)
    planned = [(file, _read(file.path), _applied(file, ours=file.path in known)[0]) for file in files]
    if dry_run:
        return [Change(file.path, _diff(file.path, before, after)) for file, before, after in planned]
    with _receipts() as database:
        return [_put_in(database, what, file) for file in files]


def _put_in(database: Database, what: str, file: File) -> Change:
    with database.transaction():
        ours = (
            database.row("SELECT 1 FROM receipt WHERE file = ? AND what = ?", (file.path, what)) is not None
        )
        before = _read(file.path)
        after, applied = _applied(file, ours=ours)
        diff = _diff(file.path, before, after)
        backup = None
        if diff:
            backup = _back_up(file.path, before)
            _write(file.path, after)
            _note(database, File(file.path, tuple(applied), file.form), what, before, after, backup)
    return Change(file.path, diff, backup)


def uninstall(what: str, paths: Sequence[str] | None = None, *, dry_run: bool = False) -> list[Change]:
    """Take out what was added, of every file or of ``paths``. An untouched file gets its old bytes back.

    Raises:
        NotOurs, NoSettings: an entry was changed by hand, or a file cannot be edited. It is left alone; all other
            files are done.
    """
    if not os.path.exists(_path()):
        return []
    changes, faults = [], []
    with _receipts() as database:
        rows = database.rows(
            "SELECT file, form, edits, before, after FROM receipt WHERE what = ? ORDER BY rowid DESC", (what,)
        )
        for path, form, edits, before, after in rows:
            if paths is None or path in paths:
                try:
                    added = File(path, _edits(edits), form)
                    changes.append(_taken_out(database, what, added, before, after, dry_run=dry_run))
                except (NotOurs, NoSettings) as error:
                    faults.append(error)
    if faults:
        raise faults[0]
    return changes


def _taken_out(
    database: Database, what: str, added: File, before: bytes | None, after: str, *, dry_run: bool
) -> Change:
    with database.transaction():
        now = _read(added.path)
        then = before if now is not None and _digest(now) == after else _reverted(added, now, before)
        if not dry_run:
            _write(added.path, then)
            database.execute("DELETE FROM receipt WHERE file = ? AND what = ?", (added.path, what))
    return Change(added.path, _diff(added.path, now, then))


def installed(what: str) -> list[str]:
    """Give the files that hold something of ours by the receipts."""
    database = Database.open_read(_path(), _MIGRATIONS)
    if database is None:
        return []
    with database:
        return [
            row[0] for row in database.rows("SELECT file FROM receipt WHERE what = ? ORDER BY file", (what,))
        ]


def value_at(file: File, edit: Edit) -> Any:
    """Give what stands in a settings file at the place of an edit, None when nothing does."""
    data = _read(file.path)
    if data is None:
        return None
    if file.form == "text":
        return data.decode("utf-8", "replace")
    tree = _tree(file, data)
    for key in edit.path:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def _path() -> str:
    return os.path.join(home(), "installs.db")


@contextmanager
def _receipts() -> Iterator[Database]:
    with Database.open(_path(), _MIGRATIONS) as database:
        yield database


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NoSettings(f"cannot be read: {error.strerror}", where=path) from error


def _text(path: str, data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoSettings(
            "not UTF-8: it cannot be edited without loss", where=path, hint="convert it first"
        ) from error


def _tree(file: File, data: bytes) -> Any:
    import tomllib

    text = _text(file.path, data)
    try:
        return tomllib.loads(text) if file.form == "toml" else jsonc.loads(text)
    except ValueError as error:
        raise NoSettings(
            f"not valid {file.form}: {error}", where=file.path, hint="correct it first"
        ) from error


def _applied(file: File, *, ours: bool) -> tuple[bytes, list[Edit]]:
    """Give the file with its edits, and those that changed it. ``ours``: an entry of our name is, and may change."""
    data = _read(file.path)
    text = _text(file.path, data)
    applied = []
    for edit in file.edits:
        there = value_at(file, edit)
        if not edit.append and there is not None and there != edit.value and not ours:
            name = ".".join(edit.path) or "a file"
            raise NotOurs(f"there is {name} with other contents", where=file.path, hint="take it out first")
        if there == edit.value if not edit.append else edit.value in (there or ()):
            continue
        try:
            text = _edited(file.form, text, edit)
        except ValueError as error:
            raise NoSettings(str(error), where=file.path, hint="correct it first") from error
        applied.append(edit)
    return text.encode(), applied


def _edited(form: str, text: str, edit: Edit) -> str:
    if form == "text":
        return str(edit.value)
    if form == "json":
        return (
            jsonc.add(text, edit.path, edit.value) if edit.append else jsonc.put(text, edit.path, edit.value)
        )
    import tomlkit

    document = tomlkit.parse(text)
    table: Any = document
    for key in edit.path[:-1]:
        table = table.setdefault(key, tomlkit.table(is_super_table=True))
    table[edit.path[-1]] = edit.value
    return tomlkit.dumps(document)


def _reverted(file: File, data: bytes | None, before: bytes | None) -> bytes | None:
    """Give the file without our entries; None when nothing but what we made is left of it."""
    if data is None:
        return None
    text = _text(file.path, data)
    for edit in reversed(file.edits):
        there = value_at(file, edit)
        if not edit.append and there is not None and there != edit.value:
            name = ".".join(edit.path) or "the file"
            raise NotOurs(f"{name} was changed since", where=file.path, hint="take it out by hand")
        if there is not None:
            text = _without(file.form, text, edit)
    text = _without_empty(file, text, before)
    return None if before is None and text.strip() in ("", "{}") else text.encode()


def _without(form: str, text: str, edit: Edit) -> str:
    if form == "text":
        return ""
    if form == "json":
        return jsonc.discard(text, edit.path, edit.value) if edit.append else jsonc.drop(text, edit.path)
    import tomlkit

    document = tomlkit.parse(text)
    table: Any = document
    for key in edit.path[:-1]:
        table = table[key]
    del table[edit.path[-1]]
    return tomlkit.dumps(document)


def _without_empty(file: File, text: str, before: bytes | None) -> str:
    """Take out the objects and arrays that we made to hold our entries and that are empty now."""
    if file.form == "text":
        return text
    old: Any = _tree(file, before) if before else {}
    depths = sorted(
        {edit.path[:n] for edit in file.edits for n in range(1, len(edit.path) + 1)}, key=len, reverse=True
    )
    for path in depths:
        was, now = old, _tree(file, text.encode())
        for key in path:
            was = was.get(key) if isinstance(was, dict) else None
            now = now.get(key) if isinstance(now, dict) else None
        if was is None and now in ({}, []):
            text = _without(file.form, text, Edit(path, now))
    return text


def _diff(path: str, before: bytes | None, after: bytes | None) -> str:
    old, new = (
        (data or b"").decode("utf-8", "replace").splitlines(keepends=True) for data in (before, after)
    )
    lines = difflib.unified_diff(old, new, fromfile=path, tofile=path, n=2)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _back_up(path: str, before: bytes | None) -> str | None:
    """Keep the file as it was beside our own things, under a name that says whose it is and what it was."""
    if before is None:
        return None
    folder = os.path.join(home(), "backups")
    make_parents(folder)
    target = os.path.join(folder, f"{os.path.basename(path).lstrip('.')}.{_digest(before)[:12]}")
    replace(target, before)
    return target


def _write(path: str, data: bytes | None) -> None:
    if data is not None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        replace(path, data)
    elif os.path.exists(path):
        os.unlink(path)


def _note(
    database: Database, file: File, what: str, before: bytes | None, after: bytes, backup: str | None
) -> None:
    """Write the receipt. A second install adds to the first, and what was before the first stays known."""
    edits = {_key(edit): edit for edit in file.edits}
    found = database.row(
        "SELECT before, backup, after, edits FROM receipt WHERE file = ? AND what = ?", (file.path, what)
    )
    if found:
        edits = {_key(edit): edit for edit in _edits(found[3])} | edits
        if before is not None and found[2] == _digest(before):
            before, backup = found[0], found[1]
    text = json.dumps([[list(edit.path), edit.value, edit.append] for edit in edits.values()])
    database.execute(
        "INSERT OR REPLACE INTO receipt(file, what, form, edits, before, after, backup) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (file.path, what, file.form, text, before, _digest(after), backup),
    )


def _key(edit: Edit) -> str:
    return json.dumps([edit.path, edit.value if edit.append else None])


def _edits(text: str) -> tuple[Edit, ...]:
    return tuple(Edit(tuple(path), value, append) for path, value, append in json.loads(text))
