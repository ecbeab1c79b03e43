"""[terminal] A command's transcript: failures, exit status and totals whole, steps that went well only counted.

Owns the detection of transcripts and the few things that take more than one line to see: failing ids that are
said twice, subjects of commits, what the command itself names. Tools are in `tools_*`, the view in `digest`.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from caveman_engine.compressors import repetition
from caveman_engine.compressors.lines import digest, stamps, standouts, tools_building, tools_running
from caveman_engine.compressors.lines.levels import FAILED_ID, NEVER, PLAIN, TOTAL, Digest
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_TOOLS = tools_running.TOOLS + tools_building.TOOLS
_COMMIT = re.compile(r"[*|/\\ ]*commit [0-9a-f]{40}\b")
_HEADER = re.compile(r"[*|/\\ ]*(?:Author|AuthorDate|Commit|CommitDate|Date|Merge): ")
_CHANGED = re.compile(r"[*|/\\ ]* \d+ files? changed\b")
_COMMAND = re.compile(r"(?:\$ |Script started on .*COMMAND=\")([^\"]+)")
_NAME = re.compile(r"(?:^|(?<=[\s'=]))[\w@][\w.@/+-]*(?=$|[\s'<>=~^!;])")
# A failing id: pytest's, or the number that mocha gives it in the list and in the report.
_ID = re.compile(r"(?:(?:FAILED|ERROR) )?(\S+::\S+)|\s+(\d+)\) ")
_COMPARISON = re.compile(r"\s*(?:\+ expected - actual|- Expected\b.*|[-+] (?:Expected|Received).*)$")
_AFTER_COMPARISON = re.compile(r"\s+at \S|\s+\d+\) |\s*● |\s*❯ ")
_BIT = 0.5  # worth of rarity: in a transcript most lines are unlike each other
_PLENTY = 8  # lines of one tool that leave no doubt
_COMPARED = 4  # lines of a comparison that are shown
_SUBJECT, _CHANGES = 6.0, 5.0  # scores of a commit's subject and of how much it changes
_NAMED, _NAMES = 5.0, 12  # score of a thing that the command names; names looked for


def detect(payload: Payload) -> float:
    """Score by lines that prove a tool."""
    lines = sample(payload.lines)
    if not lines:
        return 0.0
    proofs = {tool.name: sum(tool.proof.match(line) is not None for line in lines) for tool in _TOOLS}
    strong = proofs["ci"]
    hits = sum(proofs.values())
    if strong >= 2 or (strong and payload.coloured):
        return 0.95
    if hits >= len(lines) / 2:
        return 0.92
    if hits >= max(3, len(lines) // 50):
        return 0.8 if hits >= len(lines) // 10 or max(proofs.values()) >= _PLENTY else 0.65
    return 0.4 if payload.coloured or hits >= 2 else 0.0


def sample(lines: Sequence[str]) -> list[str]:
    """Take the beginning, the end, and lines in between, without time stamps."""
    if len(lines) > 700:
        lines = [*lines[:150], *lines[150 : -150 : max(1, len(lines) // 400)], *lines[-150:]]
    return [stamps.strip(line)[:400] for line in lines if line.strip()]


def weigher(lines: Sequence[str]) -> Callable[[str], float | None]:
    """Make the function that knows what a line of the tools in this transcript is worth."""
    taken = sample(lines)
    active = [tool for tool in _TOOLS if any(tool.proof.match(line) for line in taken)]
    rules = [rule for tool in active for rule in tool.patterns]

    def weigh(line: str) -> float | None:
        line = line[:400]
        return next((score for score, pattern in rules if pattern.match(line)), None)

    return weigh


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Yield the folded view where much of the text repeats, then the digest."""
    if len(payload.lines) < 3:
        return
    if (fold := repetition.folded(payload)) and len(fold.text) < 0.9 * len(payload.text):
        yield fold
    found = digest.once(payload, "terminal", lambda: _digest(payload.lines))
    yield digest.view(payload, request, found, "terminal")


def _digest(lines: Sequence[str]) -> Digest:
    """Analyse a transcript: what its tools say line by line, then what takes more than one line to see."""
    found = standouts.digest(lines, weigher(lines), rarity=_BIT)
    _score_commits(found)
    _score_named_by_command(found)
    _lower_said_twice(found)
    _lower_comparisons(found)
    return found


def _score_commits(found: Digest) -> None:
    """Raise the subject of each commit of a git log, and tell what belongs to it: subject, author, date, totals."""
    in_header = False
    for index, line in enumerate(found.lines):
        if _COMMIT.match(line):
            in_header = True
            found.blocks.append([index])
            found.raise_to(index, _SUBJECT - 0.5)
        elif in_header and line.strip(" |*/\\"):
            found.blocks[-1].append(index)
            if not _HEADER.match(line):
                found.raise_to(index, _SUBJECT)
                in_header = False
        elif found.blocks and _CHANGED.match(line):
            found.blocks[-1].append(index)
            found.raise_to(index, _CHANGES)
    for end in found.blocks[:1] + found.blocks[-1:]:
        for index in end:
            found.raise_to(index, _SUBJECT)


def _score_named_by_command(found: Digest) -> None:
    """Raise the last line about each thing that the command names: what became of it."""
    command = next((m[1] for line in found.lines[:5] if (m := _COMMAND.match(line))), "")
    names = [name for name in _NAME.findall(command)[1:] if len(name) > 2][:_NAMES]
    for name in names:
        said = re.compile(rf"(?<![\w./@-]){re.escape(name)}(?![\w./@-])")
        last = next((i for i in range(len(found.lines) - 1, 4, -1) if said.search(found.lines[i])), None)
        if last is not None:
            found.raise_to(last, _NAMED)


def _lower_comparisons(found: Digest) -> None:
    """Lower the lines of an expected/actual comparison to its first ones: they are the tested data, not events."""
    inside = -1
    for index, line in enumerate(found.lines):
        if _COMPARISON.match(line):
            inside = 0
        elif inside >= 0 and (_AFTER_COMPARISON.match(line) or found.scores.get(index, 0.0) >= TOTAL):
            inside = -1
        elif inside >= 0 and line.strip():
            inside += 1
            found.failures.discard(index)
            found.scores[index] = PLAIN if inside <= _COMPARED else NEVER


def _lower_said_twice(found: Digest) -> None:
    """Show a failing id once: of the line in the progress and the one in the report, the latter."""
    last: dict[str, int] = {}
    for index in sorted(i for i, score in found.scores.items() if score >= FAILED_ID - 1):
        if said := _ID.match(found.lines[index]):
            key = said[1] or said[2]
            if key in last:
                found.scores[last[key]] = NEVER
                found.failures.discard(last[key])
            last[key] = index


COMPRESSOR = Compressor("terminal", detect, views)
