"""How a diff is written with less context. Owns hunk headers, folds and the counts that they state."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from caveman_engine import markers
from caveman_engine.compressors import _diff_lock, _generated
from caveman_engine.compressors._diff_parse import File, Hunk
from caveman_engine.payload import Payload
from caveman_engine.views import View

_CONTEXT = 1
# Cutting fewer lines than this out of a hunk's middle costs more in headers than it saves.
_LEAST_GAP = 4
# A whole file that is deleted shows its first lines only.
_DELETED_SHOWN = 12
_WORTH_A_MARKER = 100
# Header lines that say nothing to a reader: hashes, and Subversion's rule.
_DROPPED = ("index ", "=======")


class Writer:
    """Collects the view of one diff and counts what it shows."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload
        self._parts: list[str] = []
        self._shown = 0
        self._markers = 0
        self._marked = 0

    def trimmed(self, files: Sequence[File]) -> View:
        """Give every file with its changed lines, context cut and folds marked."""
        at = 0
        for file in files:
            self.prose(at, file.first)
            self.file(file)
            at = file.stop
        self.prose(at, len(self._payload.lines))
        return self.view("diff-context", files)

    def view(self, method: str, files: Sequence[File]) -> View:
        """Close the view; what the hunk headers do not say themselves, and the totals, stand in a last marker."""
        total = len(self._payload.lines)
        if rest := total - self._shown - self._marked:
            said = f"{totals(files)}; {rest:,} context and header lines left out between the hunks"
            self._parts.append(markers.marker(said))
            self._markers += 1
        return View(
            "".join(self._parts), self._shown == total, "lines", self._shown, total, method, self._markers
        )

    def prose(self, first: int, stop: int) -> None:
        """Show lines outside of files; one that looks like ours goes under a marker."""
        start = first
        for index in range(first, stop):
            if markers.is_forged(self._payload.shown(index)):
                self.lines(start, index)
                self.mark(index, index + 1)
                start = index + 1
        self.lines(start, stop)

    def lines(self, first: int, stop: int) -> None:
        """Show lines as they stand."""
        if stop <= first:
            return
        payload = self._payload
        if payload.gutters:
            self._parts += [payload.shown(index) for index in range(first, stop)]
        else:
            self._parts += [
                a + b for a, b in zip(payload.lines[first:stop], payload.ends[first:stop], strict=True)
            ]
        if not self._parts[-1].endswith(("\n", "\r")):
            self._parts[-1] += "\n"
        self._shown += stop - first

    def mark(self, first: int, stop: int, facts: str = "") -> None:
        """Say that lines are missing, and what they hold; a single short line is shown instead."""
        line = self._payload.shown(first)
        if stop - first == 1 and len(line) <= _WORTH_A_MARKER and not markers.is_forged(line):
            self.lines(first, stop)
            return
        said = markers.span(self._payload, first, stop - 1)
        self._parts.append(markers.marker(f"{said}; {facts}" if facts else said))
        self._markers += 1
        self._marked += stop - first

    def file(self, file: File) -> None:
        """Show one file: header, then its hunks or the fold that stands for them."""
        lines = self._payload.lines
        self.header(file)
        body = file.header_stop
        if not file.hunks:
            return
        changed = list(changed_lines(lines, file))
        reason = _generated.why(path_of(lines, file), [line[1:] for line in changed])
        if reason and len(changed) > 6:
            facts = f"{reason}, +{file.added:,} -{file.removed:,}"
            moved = _diff_lock.versions(lines[body : file.stop]) if reason == "lock file" else ""
            self.mark(body, file.stop, f"{facts}; {moved}" if moved else facts)
        elif not file.added and file.removed > 5 * _DELETED_SHOWN and _is_deleted(lines, file):
            self.lines(body, body + 1 + _DELETED_SHOWN)
            self.mark(body + 1 + _DELETED_SHOWN, file.stop, f"deleted file, -{file.removed:,} in all")
        else:
            for hunk in file.hunks:
                self.hunk(hunk)

    def header(self, file: File) -> None:
        """Show a file's header without hashes; its "diff --git" line only where it says more than the names."""
        lines = self._payload.lines
        rest = [i for i in range(file.first + 1, file.header_stop) if not lines[i].startswith(_DROPPED)]
        patch = next((i for i in rest if lines[i].startswith("GIT binary patch")), None)
        if patch is not None:
            self._kept([file.first, *[i for i in rest if i <= patch]])
            if patch + 1 < file.header_stop:
                self.mark(patch + 1, file.header_stop, "binary")
            return
        plain = len(rest) == 2 and lines[rest[0]].startswith("--- ") and lines[rest[1]].startswith("+++ ")
        self._kept(rest if plain and file.first != rest[0] else [file.first, *rest])

    def _kept(self, indices: list[int]) -> None:
        for index in indices:
            self.lines(index, index + 1)

    def hunk(self, hunk: Hunk) -> None:
        """Show a hunk with less context, in pieces that have headers of their own."""
        pieces = list(_pieces(self._payload.lines, hunk))
        if not hunk.whole or pieces == [(hunk.header + 1, hunk.stop)]:
            self.lines(hunk.header, hunk.stop)
            return
        for place, (first, stop) in enumerate(pieces):
            self._parts.append(self._header_of(hunk, first, stop, "" if place else hunk.section))
            self.lines(first, stop)
        self._shown += 1

    def _header_of(self, hunk: Hunk, first: int, stop: int, section: str) -> str:
        """Give the header of a piece, as diff would have written it with less context."""
        lines, payload = self._payload.lines, self._payload
        before = [lines[i][:1] for i in range(hunk.header + 1, first)]
        signs = [lines[i][:1] for i in range(first, stop)]
        old = hunk.old + sum(sign not in {"+", "\\"} for sign in before)
        new = hunk.new + sum(sign not in {"-", "\\"} for sign in before)
        old_count = sum(sign not in {"+", "\\"} for sign in signs)
        new_count = sum(sign not in {"-", "\\"} for sign in signs)
        gutter = payload.gutters[hunk.header] if payload.gutters else ""
        end = payload.ends[hunk.header] or "\n"
        return f"{gutter}@@ -{_range(old, old_count)} +{_range(new, new_count)} @@{section}{end}"


def totals(files: Sequence[File]) -> str:
    """Give the number of files with their added and removed lines."""
    added, removed = sum(file.added for file in files), sum(file.removed for file in files)
    return f"{len(files):,} {'file' if len(files) == 1 else 'files'}, +{added:,} -{removed:,}"


def _range(start: int, count: int) -> str:
    return f"{start}" if count == 1 else f"{start},{count}"


def _pieces(lines: list[str], hunk: Hunk) -> Iterator[tuple[int, int]]:
    """Give the parts of a body to show: changed lines with one line of context, near ones together."""
    first, stop = hunk.header + 1, hunk.stop
    changed = [i for i in range(first, stop) if lines[i][:1] in {"+", "-"}]
    if not changed:
        yield first, stop
        return
    start = max(first, changed[0] - _CONTEXT)
    for here, after in pairwise(changed):
        if after - here - 1 - 2 * _CONTEXT >= _LEAST_GAP:
            yield start, _with_note(lines, here + 1 + _CONTEXT, stop)
            start = after - _CONTEXT
    yield start, _with_note(lines, min(stop, changed[-1] + 1 + _CONTEXT), stop)


def _with_note(lines: list[str], end: int, stop: int) -> int:
    """Keep a note on a missing last newline with the line it is about."""
    while end < stop and lines[end].startswith("\\"):
        end += 1
    return end


def changed_lines(lines: list[str], file: File) -> Iterator[str]:
    """Give the changed lines of a file with their sign."""
    for hunk in file.hunks:
        for line in lines[hunk.header + 1 : hunk.stop]:
            if line[: hunk.parents].strip():
                yield line


def path_of(lines: list[str], file: File) -> str:
    """Give the path after the change, or before it for a deleted file, without git's prefix."""
    return name_of(lines, file).removeprefix("a/").removeprefix("b/")


def name_of(lines: list[str], file: File) -> str:
    """Give the path as the header spells it."""
    names = {}
    for line in lines[file.first : file.header_stop]:
        if line.startswith(("--- ", "+++ ")):
            names[line[:3]] = line[4:].split("\t")[0].strip().strip('"')
    for sign in ("+++", "---"):
        if names.get(sign, "/dev/null") != "/dev/null":
            return names[sign]
    head = lines[file.first]
    return "b/" + head.rsplit(" b/", 1)[1] if " b/" in head else head.rsplit(" ", 1)[-1]


def _is_deleted(lines: list[str], file: File) -> bool:
    header = lines[file.first : file.header_stop]
    return any(line.startswith(("deleted file", "+++ /dev/null")) for line in header)
