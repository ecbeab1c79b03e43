"""Where the files and hunks of a diff stand. Owns the grammar: unified, git and combined form.

Lines of a hunk are counted against its header, so that a removed line that reads like a header ("--- old note")
stays a line of its hunk. Knows nothing of views. Source: the GNU diffutils manual, "Detailed Description of
Unified Format", and git-diff(1), "Combined diff format".
"""

import re
from dataclasses import dataclass, field

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)", re.DOTALL)
_COMBINED = re.compile(r"(@@@+) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? @@@+")
_STARTS = ("diff --git ", "diff --cc ", "diff --combined ", "Index: ")
_EXTENDED = (
    "index ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "mode ",
    "--- ",
    "+++ ",
    "Binary files ",
    "GIT binary patch",
    "=======",
)


@dataclass(slots=True)
class Hunk:
    """One hunk: ``header`` is the index of its "@@" line, its body ends before ``stop``.

    ``old`` and ``new`` are the first line numbers of either side. ``parents`` > 1 is a combined hunk.
    ``whole`` says that the body has as many lines as the header promises.
    """

    header: int
    stop: int
    old: int
    new: int
    section: str
    added: int = 0
    removed: int = 0
    parents: int = 1
    whole: bool = True


@dataclass(slots=True)
class File:
    """One file: header lines from ``first``, hunks, and all that belongs to it before ``stop``."""

    first: int
    stop: int
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def header_stop(self) -> int:
        """Give the index after the last header line."""
        return self.hunks[0].header if self.hunks else self.stop

    @property
    def added(self) -> int:
        """Count the added lines."""
        return sum(hunk.added for hunk in self.hunks)

    @property
    def removed(self) -> int:
        """Count the removed lines."""
        return sum(hunk.removed for hunk in self.hunks)


def files(lines: list[str]) -> list[File]:
    """Find the files of a diff in order. Lines outside all of them are prose, such as a commit message."""
    found: list[File] = []
    current: File | None = None
    index, total = 0, len(lines)
    while index < total:
        line = lines[index]
        if _starts_file(lines, index, current):
            current = File(index, index + 1)
            found.append(current)
            index += 1
        elif current is not None and line.startswith("@@") and (hunk := _hunk(lines, index)):
            current.hunks.append(hunk)
            index = current.stop = hunk.stop
        elif current is not None and not current.hunks and _continues_header(lines, index, current):
            index += 1
            current.stop = index
        else:
            current = None
            index += 1
    return found


def _starts_file(lines: list[str], index: int, current: File | None) -> bool:
    line = lines[index]
    if line.startswith(_STARTS):
        return True
    if not line.startswith("--- ") or index + 2 >= len(lines) or not lines[index + 1].startswith("+++ "):
        return False
    return lines[index + 2].startswith("@@") and (current is None or bool(current.hunks))


def _continues_header(lines: list[str], index: int, current: File) -> bool:
    """Tell header lines and the body of a binary patch, which ends at the next file."""
    if lines[index].startswith(_EXTENDED):
        return True
    return any(line.startswith("GIT binary patch") for line in lines[current.first : current.first + 8])


def _hunk(lines: list[str], index: int) -> Hunk | None:
    if found := _HUNK.match(lines[index]):
        hunk = Hunk(index, index + 1, int(found[1]), int(found[3]), found[5])
        _take_body(lines, hunk, int(found[2] or 1), int(found[4] or 1))
        return hunk
    if found := _COMBINED.match(lines[index]):
        hunk = Hunk(index, index + 1, 0, int(found[3]), "", parents=len(found[1]) - 1, whole=False)
        _take_combined(lines, hunk, int(found[4] or 1))
        return hunk
    return None


def _take_body(lines: list[str], hunk: Hunk, old: int, new: int) -> None:
    """Take as many lines as the header counts, and a note on a missing last newline."""
    added = removed = 0
    index, total = hunk.header + 1, len(lines)
    while index < total and (old > 0 or new > 0):
        sign = lines[index][:1]
        if sign == "+":
            new -= 1
            added += 1
        elif sign == "-":
            old -= 1
            removed += 1
        elif sign in {" ", ""}:
            old -= 1
            new -= 1
        elif sign != "\\":
            break
        index += 1
    if index < total and lines[index].startswith("\\ "):
        index += 1
    hunk.stop, hunk.added, hunk.removed = index, added, removed
    hunk.whole = old == 0 and new == 0


def _take_combined(lines: list[str], hunk: Hunk, new: int) -> None:
    """Take lines with one sign column a parent until the result's lines are all there."""
    index, total = hunk.header + 1, len(lines)
    while index < total:
        signs = lines[index][: hunk.parents]
        if signs.strip(" +-") or not (new > 0 or "-" in signs):
            break
        if "-" in signs:
            hunk.removed += 1
        else:
            new -= 1
            hunk.added += "+" in signs
        index += 1
    hunk.stop = index
