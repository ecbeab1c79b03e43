"""[diff] every file listed, changed lines of hand-written files kept, context cut to one line.

Lock, generated, minified, vendored and data files fold to their counts. A hunk whose context is cut gets the
header that ``diff -U1`` would give it, so that what is shown still applies. With a question, or a bound, blocks
of hunks are ranked and the rest stands as counts a file.
"""

from collections.abc import Iterator, Sequence

from caveman_engine.compressors import _diff_parse as parse
from caveman_engine.compressors import _diff_select as select
from caveman_engine.compressors._diff_view import Writer
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_SAMPLE = 3_000


def detect(payload: Payload) -> float:
    """Score by the share of lines that belong to parsed files."""
    lines = payload.lines[:_SAMPLE]
    if not any(line.startswith(("@@", "diff --", "Index: ")) for line in lines):
        return 0.0
    found = [file for file in parse.files(lines) if file.hunks or file.stop - file.first > 1]
    if not found:
        return 0.0
    inside = sum(file.stop - file.first for file in found)
    hunks = any(
        hunk.whole or hunk.parents > 1 or hunk.stop == len(lines) for file in found for hunk in file.hunks
    )
    named = any(lines[file.first].startswith("diff --") for file in found)
    if not (hunks or named):
        return 0.0
    share = inside / len(lines)
    if share >= 0.5 or _opens(lines):
        return 0.95
    return 0.5 if share >= 0.2 else 0.25


def _opens(lines: Sequence[str]) -> bool:
    """Tell what ``git show``, ``git log -p`` and ``git format-patch`` begin with."""
    return lines[0].startswith(("commit ", "diff --")) or (
        lines[0].startswith("From ") and any(line.startswith("Subject: ") for line in lines[:12])
    )


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the whole diff with less context; under a question or a hard bound its best blocks."""
    found = parse.files(payload.lines)
    if not found:
        return
    if request.query is None:
        yield Writer(payload).trimmed(found)
    if request.query is not None or request.hard:
        yield select.best_blocks(payload, found, request)


COMPRESSOR = Compressor("diff", detect, views)
