"""[terminal] A command's transcript: failures, exit status and totals whole, steps that went well only counted.

Owns the detection of transcripts and the few things that take more than one line to see: failing ids that are
said twice, subjects of commits, what the command itself names. Tools are in `_tools`, the view in `_digest`.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from caveman_engine.compressors import _digest, _stamps, _tools
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_COMMIT = re.compile(r"[*|/\\ ]*commit [0-9a-f]{40}\b")
_DATE = re.compile(r"[*|/\\ ]*(?:Author|Commit)?Date: ")


def detect(payload: Payload) -> float:
    """Score by lines that prove a tool."""
    lines = sample(payload.lines)
    if not lines:
        return 0.0
    proofs = {tool.name: sum(tool.proof.match(line) is not None for line in lines) for tool in _tools.TOOLS}
    strong = proofs["ci"]
    hits = sum(proofs.values())
    if strong >= 2 or (strong and payload.coloured):
        return 0.95
    if hits >= max(3, len(lines) // 50):
        return 0.8 if hits >= len(lines) // 10 else 0.65
    return 0.4 if payload.coloured or hits >= 2 else 0.0


def sample(lines: Sequence[str]) -> list[str]:
    """Take the beginning, the end, and lines in between, without time stamps."""
    if len(lines) > 700:
        lines = [*lines[:150], *lines[150:-150:max(1, len(lines) // 400)], *lines[-150:]]
    return [_stamps.strip(line)[:400] for line in lines if line.strip()]


def weigher(lines: Sequence[str]) -> Callable[[str], float | None]:
    """Make the function that knows what a line of the tools in this transcript is worth."""
    taken = sample(lines)
    active = [tool for tool in _tools.TOOLS if any(tool.proof.match(line) for line in taken)]
    rules = [rule for tool in active for rule in tool.patterns]

    def weigh(line: str) -> float | None:
        line = line[:400]
        return next((score for score, pattern in rules if pattern.match(line)), None)

    return weigh


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Yield the digest."""
    if len(payload.lines) < 3:
        return
    yield _digest.view(payload, request, weigher(payload.lines), "terminal")


COMPRESSOR = Compressor("terminal", detect, views)
