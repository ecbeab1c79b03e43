"""Time stamps at the beginning of log lines. Owns their shapes; compares and converts nothing."""

import re
from collections.abc import Sequence

_CLOCK = r"\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?"
_SHAPES = (
    # ISO 8601 and its cousins: 2026-03-01T10:00:00.123Z, 2026/03/01 10:00:00,123, 2005-06-03-15.42.50.675872
    rf"\d{{4}}[-/.]\d\d[-/.]\d\d(?:[T ,_]+{_CLOCK}|-\d\d\.\d\d\.\d\d\.\d+)?",
    # 03/01/2026 10:00:00, 17/06/09 20:10:40
    rf"\d\d[-/.]\d\d[-/.]\d{{2,4}}[T ,]+{_CLOCK}",
    # 10/Oct/2000:13:55:36 -0700, 10-Oct-2000 13:55:36
    rf"\d\d?[-/ ][A-Z][a-z]{{2}}[-/ ]\d{{2,4}}[ :]{_CLOCK}",
    # Dec 10 06:55:46, Sun Dec 04 04:47:44 2005
    rf"(?:[A-Z][a-z]{{2}},? +)?[A-Z][a-z]{{2}} +\d{{1,2}},? +(?:\d{{4}} +)?{_CLOCK}(?: \d{{4}}\b)?",
    # 03-17 16:13:38.811 (Android), [10.30 16:49:06] (Proxifier)
    rf"\d\d[-.]\d\d +{_CLOCK}",
    # 10:00:00.123 and 20171223-22:15:29:606
    rf"(?:\d{{8}}-)?{_CLOCK}(?::\d+)?",
    # 081109 203518 (HDFS), epoch seconds, kernel seconds
    r"\d{6} \d{6}\b|\d{10}(?:\d{3})?(?:\.\d+)?\b| *\d{1,7}\.\d{6}",
)
_REMARKS = ("#", ";", "//")
# What stands before it: a syslog priority, the service in docker compose.
_FRONT = r"(?:<\d{1,3}>\d? ?|[\w.-]{1,40} +\| +)?"
_ZONE = r"(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?"
STAMP = re.compile(rf"{_FRONT}[\s\[(<-]*(?:{'|'.join(_SHAPES)}){_ZONE}[\])>]?[:,|]?\s*")


def strip(line: str) -> str:
    """Give a line without its leading time stamp; the line itself when there is nothing else in it."""
    stamp = STAMP.match(line)
    return line[stamp.end() :] if stamp and stamp.end() < len(line) else line


def of(line: str) -> str:
    """Give the leading time stamp as the line spells it, or ""."""
    stamp = STAMP.match(line)
    return stamp[0].strip().rstrip(":,|") if stamp else ""


def is_remark(line: str) -> bool:
    """Tell a blank line, or a comment that someone has written between the lines of a log."""
    return not line.strip() or line.startswith(_REMARKS)


def share(lines: Sequence[str]) -> float:
    """Give the share of lines that begin with a time stamp, by a sample; remarks between them do not count."""
    sample = [line for line in lines[:: max(1, len(lines) // 200)] if not is_remark(line)]
    return sum(STAMP.match(line) is not None for line in sample) / len(sample) if sample else 0.0
