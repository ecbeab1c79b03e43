"""[log] Lines of a few templates: one event a template, everything rare, every failure, whole tracebacks.

Owns the detection of logs and the view; the analysis is `digest`. Must never know a tool or a file.
"""

import re
from collections.abc import Iterator

from caveman_engine import templates
from caveman_engine.compressors import repetition
from caveman_engine.compressors.lines import digest, stamps, standouts
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_LEVEL = re.compile(
    r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE|ALERT|EMERG)\b|\blevel=\w+|"
    r"\[(?:trace|debug|info|notice|warn|warning|error|fatal|crit)\]|\b[VDIWEF]/\w+|^[IWEF]\d{4} |"
    r"^\d+ (?:silly|verbose|http|timing|info|notice|warn|error)\b"
)


def detect(payload: Payload) -> float:
    """Score by time stamps and levels; by few templates where there are neither."""
    lines = [
        line for line in payload.lines[:: max(1, len(payload.lines) // 300)] if not stamps.is_remark(line)
    ]
    if len(lines) < 5:
        return 0.0
    stamped = stamps.share(lines)
    levelled = sum(_LEVEL.search(line[:200]) is not None for line in lines) / len(lines)
    forms = templates.group(lines)
    alike = 1 - len(forms) / len(lines)
    commonest = max(map(len, forms.values())) / len(lines)
    score = 0.5 * max(alike - 0.3, 0.0) / 0.7
    if stamped >= 0.5 or levelled >= 0.5:
        score = max(score, 0.55 + 0.35 * max(stamped, levelled))
    elif commonest >= 0.5:
        score = max(score, 0.5)
    return round(score, 3)


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Yield the folded view where much of the text repeats, then the digest."""
    if len(payload.lines) < 3:
        return
    if (fold := repetition.folded(payload)) and len(fold.text) < 0.9 * len(payload.text):
        yield fold
    found = digest.once(payload, "log", lambda: standouts.digest(payload.lines))
    yield digest.view(payload, request, found, "log")


COMPRESSOR = Compressor("log", detect, views)
