"""Memory as files under ``/memories``, for agents that were taught the verbs of the file-memory tool.

A file is one memory of kind "file" whose first line is its path; an edit supersedes it. There is no file system
behind it: a path is a name, and one that is not plain is refused.
"""

import re
import unicodedata

from caveman_app.server.engine_tools import BOUND
from caveman_app.server.pages import page
from caveman_app.server.tool import COUNT, TEXT, Answer, Tool
from caveman_engine.errors import NotFound, Refused, UsageError
from caveman_mem.errors import AlreadyCurrent
from caveman_mem.memory import Memory
from caveman_mem.store import MemoryStore

ROOT = "/memories"
KIND = "file"
_SEGMENT = re.compile(r"[^/\\%<>\x00-\x1f\x7f]{1,200}\Z")
_COMMANDS = ("view", "create", "str_replace", "insert", "delete", "rename")


class PathRefused(Refused):
    """A path that is not a plain name under /memories."""

    code = "cave_path_refused"


class FileTools:
    """The facade over one memory store."""

    def __init__(self, store: MemoryStore, session: str, *, scope: str | None) -> None:
        self._store = store
        self._session = session
        self._scope = scope

    def tools(self) -> list[Tool]:
        """Give the one tool."""
        arguments = {
            "command": {**TEXT, "enum": list(_COMMANDS)},
            **dict.fromkeys(("path?", "file_text?", "old_str?", "new_str?", "insert_text?"), TEXT),
            "insert_line?": COUNT,
            **dict.fromkeys(("old_path?", "new_path?"), TEXT),
        }
        description = "Keep notes as files under /memories across sessions; view /memories first."
        return [Tool("memory", description, arguments, self.run, reads=False, destroys=True)]

    def run(
        self, *, command: str, path: str = "", old_path: str = "", new_path: str = "", **given: object
    ) -> Answer:
        """Run one verb."""
        if command == "rename":
            return self._rename(_checked(old_path), _checked(new_path))
        name = _checked(path)
        if command == "view":
            return self._view(name)
        if command == "create":
            return self._create(name, _text(given, "file_text"))
        if command == "delete":
            return self._delete(name)
        lines = self._content(name)
        if command == "str_replace":
            changed = _replaced(lines, _text(given, "old_str"), str(given.get("new_str") or ""))
        else:
            changed = _inserted(lines, given.get("insert_line"), _text(given, "insert_text"))
        self._write(name, changed)
        return Answer(f"edited {name}")

    def _files(self) -> dict[str, Memory]:
        facts = self._store.list(scope=self._scope, kind=KIND)
        return {fact.text.partition("\n")[0]: fact for fact in facts}

    def _content(self, name: str) -> str:
        fact = self._files().get(name)
        if fact is None:
            raise NotFound(f"no file {name}", hint="view /memories lists them")
        return fact.text.partition("\n")[2]

    def _view(self, name: str) -> Answer:
        files = self._files()
        if name in files:
            lines = files[name].text.split("\n")[1:]
            shown = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, 1))
            part = page(shown.encode(), 0, BOUND - 50)
            more = f"[caveman: the beginning; whole: caveman mem recover {files[name].id}]"
            return Answer(shown if part.next is None else f"{part.text}\n{more}")
        inside = sorted(path for path in files if path.startswith(name + "/"))
        if not inside and name != ROOT:
            raise NotFound(f"no file or folder {name}", hint="view /memories lists them")
        return Answer("\n".join([name, *inside]))

    def _create(self, name: str, text: str) -> Answer:
        if name == ROOT:
            raise PathRefused("/memories is the folder itself", hint="name a file in it")
        known = name in self._files()
        self._write(name, text)
        return Answer(f"{'overwrote' if known else 'created'} {name}")

    def _write(self, name: str, content: str) -> None:
        whole = f"{name}\n{content}"
        fact = self._files().get(name)
        if fact is not None and fact.text == whole:
            return
        if fact is not None:
            if self._superseded(fact, whole):
                return
            # A change of white space alone is no new fact to the memory, but it is a new file. Without its history:
            # an older version would hold again beside it.
            self._store.forget(fact.id, chain=True)
        self._store.remember(whole, kind=KIND, scope=self._scope, session=self._session)

    def _superseded(self, fact: Memory, whole: str) -> bool:
        try:
            return self._store.supersede(fact.id, whole, session=self._session).id != fact.id
        except AlreadyCurrent:
            return False

    def _delete(self, name: str) -> Answer:
        files = self._files()
        gone = [path for path in files if path == name or path.startswith(name + "/")]
        if not gone:
            raise NotFound(f"no file or folder {name}", hint="view /memories lists them")
        for path in gone:
            self._store.forget(files[path].id, chain=True)
        return Answer(f"deleted {', '.join(gone)}")

    def _rename(self, old: str, new: str) -> Answer:
        if new in self._files():
            raise UsageError(f"{new} exists", hint="delete it first")
        content = self._content(old)
        self._write(new, content)
        self._delete(old)
        return Answer(f"renamed {old} to {new}")


def _checked(path: str) -> str:
    """Give the plain form of a path under /memories.

    Raises:
        PathRefused: it leads elsewhere, or could in some reading: dots, backslashes, percent signs, look-alikes.
    """
    plain = unicodedata.normalize("NFKC", path)
    segments = plain.removesuffix("/").split("/")
    if segments[:2] != ["", "memories"] or plain.removesuffix("/") != path.removesuffix("/"):
        raise PathRefused("the path is not under /memories", hint="such as /memories/notes.md")
    if any(not _SEGMENT.match(part) or part.strip(". ") == "" for part in segments[1:]):
        raise PathRefused("the path is not plain", hint="names between slashes; not dots alone, no \\ % < >")
    return plain.removesuffix("/")


def _text(given: dict[str, object], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        raise UsageError(f"this command needs {name}", hint="give a text")
    return value


def _replaced(content: str, old: str, new: str) -> str:
    found = content.count(old) if old else 0
    if found != 1:
        raise UsageError(f"old_str occurs {found} times", hint="give a text that occurs once")
    return content.replace(old, new)


def _inserted(content: str, line: object, text: str) -> str:
    lines = content.split("\n")
    if not isinstance(line, int) or line > len(lines):
        raise UsageError(f"insert_line must be from 0 to {len(lines)}", hint="0 is the top")
    return "\n".join([*lines[:line], text.removesuffix("\n"), *lines[line:]])
