"""`caveman tools shrink`: run a command, show a smaller view of what it prints, keep all of it.

Owns what is shown of a run and what is recorded. Knows no content type: views come from the engine, and when none
can be made the command's own output is shown.
"""

import base64
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from caveman_app import environment
from caveman_app.capture import EDGE_BYTES, KEPT_BYTES, Capture, ProgramMissing, Run, captured, passed_through
from caveman_app.shell import content_type, is_selection
from caveman_engine import console, ledger, markers
from caveman_engine.errors import CavemanError, UsageError
from caveman_engine.payload import ANSI
from caveman_engine.views import View

if TYPE_CHECKING:
    from caveman_engine.engine import Result

_CAPTURE_BYTES = 8 * 1024 * 1024
_HEAD_LINES, _TAIL_LINES = 40, 120


def limit() -> int:
    """Give the bytes of output that are compressed as a whole: CAVE_MAX_SHRINK_BYTES, or 8 MiB.

    Raises:
        UsageError: the variable is no positive number.
    """
    value = os.environ.get("CAVE_MAX_SHRINK_BYTES")
    if value is None:
        return _CAPTURE_BYTES
    if not (value.isascii() and value.isdigit() and int(value)):
        raise UsageError(
            f"CAVE_MAX_SHRINK_BYTES is {value!r}",
            where="environment",
            hint=f"give a positive number of bytes, such as {_CAPTURE_BYTES}",
        )
    return min(int(value), KEPT_BYTES)


def shrink_command(
    argv: Sequence[str], *, kind: str | None = None, raw: bool = False, as_json: bool = False
) -> int:
    """Run a command and print the view of its output, or one JSON object; give its exit status.

    Raises:
        UsageError: a bad variable. ProgramMissing: nothing was run.
    """
    capture = Capture(limit())
    try:
        return _run(argv, capture, kind, raw=raw, as_json=as_json)
    except ProgramMissing as error:
        ledger.record(ledger.Event("shrink", reason="program_missing", exit_status=error.exit_status))
        raise
    finally:
        capture.close()


def _run(argv: Sequence[str], capture: Capture, kind: str | None, *, raw: bool, as_json: bool) -> int:
    reason = "raw" if raw else "selection" if is_selection(argv) else None
    if reason and not as_json:
        run = passed_through(argv)
        ledger.record(ledger.Event("shrink", reason=reason, exit_status=run.status))
        return run.status
    run = captured(argv, capture, _get_ready)
    from caveman_engine.engine import Result

    with console.working("compressing"):
        shown = Result(b"", "unknown", reason=reason) if reason else _shown(run, capture, kind)
    _print(run, shown, capture, as_json=as_json)
    _record(run, capture, shown)
    return run.status


def shrink_data(data: bytes, kind: str | None = None, *, as_json: bool = False) -> None:
    """Print the view of bytes that are there already: a file, or what came on stdin."""
    capture = Capture(KEPT_BYTES)
    try:
        capture.feed(data)
        run = Run((), 0, 0.0)
        shown = _shown(run, capture, kind)
        _print(run, shown, capture, as_json=as_json)
        _record(run, capture, shown)
    finally:
        capture.close()


def _get_ready() -> None:
    """Load what makes views, a quarter of a second that nobody then waits for."""
    import caveman_engine.engine  # noqa: F401
    from caveman_engine.tokens import default_counter

    default_counter()


def _shown(run: Run, capture: Capture, kind: str | None) -> "Result":
    """Make the view; where none can be made, say why in ``reason``."""
    from caveman_engine.engine import Result

    try:
        if capture.size > capture.limit:
            return _edges(run, capture)
        return _view(run, capture.read(), kind)
    except CavemanError as error:
        console.report(error)
        return Result(b"", kind or "unknown", reason="store_failed")


def _print(run: Run, shown: "Result", capture: Capture, *, as_json: bool) -> None:
    """Print the view, or the command's own bytes; as JSON with all that is known of the run."""
    if as_json:
        console.print_json(_report(run, shown, shown.output if shown.reason is None else capture.read()))
    elif shown.reason is None:
        console.write(shown.output)
    else:
        sys.stdout.flush()
        capture.copy_to(sys.stdout.buffer)


def _report(run: Run, shown: "Result", output: bytes) -> dict[str, Any]:
    try:
        text, encoding = output.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = base64.b64encode(output).decode("ascii"), "base64"
    return {
        "argv": list(run.argv) or None,
        "exit_status": run.status if run.argv else None,
        "duration_ms": round(run.seconds * 1000),
        **asdict(shown),
        "output": text,
        "output_encoding": encoding,
    }


def _way_back(run: Run) -> str:
    return "caveman tools retrieve {handle}" + (f"; exit status {run.status}" if run.argv else "")


def _view(run: Run, data: bytes, kind: str | None) -> "Result":
    from caveman_engine.engine import Engine

    if run.argv and environment.is_listing(run.argv):
        listing, hidden = environment.masked(data)
        if hidden:
            return _listing(run, data, listing, hidden)
    engine = Engine.open(way_back=_way_back(run))
    sure = kind or (content_type(run.argv) if run.argv else None)
    result = engine.compress(data, kind=sure)
    if result.reason and sure != kind:
        result = engine.compress(data)
    if result.reason is None and run.argv:
        _remember(run, data)
    return result


def _listing(run: Run, data: bytes, listing: bytes, hidden: int) -> "Result":
    """Show an environment whose secret values are masked; they are in the original alone."""
    from caveman_engine.engine import Result
    from caveman_engine.tokens import default_counter

    try:
        handle = _store_whole(run, data, "config", "masked", len(listing))
    except CavemanError as error:
        console.report(error)
        handle = None
    lines = listing.splitlines(keepends=True)
    kept = [line for line in lines if not _forged(line)]
    listing, total, shown = b"".join(kept), len(lines), len(kept) - hidden
    if handle:
        view = View("", False, "lines", shown, total, "masked")
        last = markers.footer(view, _way_back(run).format(handle=handle)) + "\n"
    else:
        last = markers.marker(f"{hidden:,} values look like credentials and are masked; --raw shows them")
    output = listing + (b"" if listing.endswith(b"\n") else b"\n") + last.encode()
    counter = default_counter()
    before, after = (counter.count(text.decode("utf-8", "replace")) for text in (data, output))
    return Result(
        output,
        "config",
        method="masked",
        tokens_before=before,
        tokens_after=after,
        token_count_basis=counter.basis,
        recovery_handle=handle,
        lossless=False,
        unit="lines",
        shown=shown,
        total=total,
    )


def _remember(run: Run, data: bytes) -> None:
    """Keep how the command went beside what it printed. The view does not depend on it."""
    from caveman_engine.recovery import RecoveryStore

    went = {"argv": list(run.argv), "exit_status": run.status, "duration_ms": round(run.seconds * 1000)}
    try:
        with RecoveryStore.open() as store:
            store.put_object("CommandResult", data, source=run.argv[0], data=went)
    except CavemanError:
        return


def _edges(run: Run, capture: Capture) -> "Result":
    """Show head, lines that speak of a failure, and tail of an output too large to compress as one."""
    from caveman_engine.engine import Result
    from caveman_engine.tokens import default_counter

    text, shown = _excerpt(capture)
    handle = _store_whole(run, capture.read(), "log", "edges", len(text)) if capture.whole else None
    view = View("", False, "lines", shown, capture.lines, "edges")
    if handle:
        last = markers.footer(view, _way_back(run).format(handle=handle)) + "\n"
    else:
        last = markers.marker(
            f"showing {shown:,} of {capture.lines:,} lines; {capture.size:,} bytes are too many to keep; "
            f"exit status {run.status}"
        )
    output = text + last.encode()
    counter = default_counter()
    after = counter.count(output.decode("utf-8", "replace"))
    return Result(
        output,
        "log",
        method="edges",
        # Counting up to a gigabyte for a footer nobody reads is too dear: the shown part stands for all.
        tokens_before=round(after * capture.size / len(output)),
        tokens_after=after,
        token_count_basis=counter.basis,
        recovery_handle=handle,
        lossless=False,
        shown=shown,
        total=capture.lines,
    )


def _excerpt(capture: Capture) -> tuple[bytes, int]:
    """Give the text of the view without its last line, and the number of lines that stand in it."""
    head = capture.read(EDGE_BYTES).splitlines(keepends=True)[:_HEAD_LINES]
    tail = capture.tail.splitlines(keepends=True)[-_TAIL_LINES:]
    between = range(len(head) + 1, capture.lines - len(tail) + 1)
    notes = [b"%d:%s\n" % note for note in capture.failures if note[0] in between and not _forged(note[1])]
    shown = [line for line in head if not _forged(line)]
    end = [line for line in tail if not _forged(line)]
    count = len(shown) + len(notes) + len(end)
    hidden = len(between) - len(notes)
    shown.append(markers.marker(f"{hidden:,} lines left out; of them these speak of a failure:").encode())
    if not notes:
        shown[-1] = markers.marker(f"{hidden:,} lines left out").encode()
    shown += notes
    shown.append(markers.marker("the end of the output:").encode())
    shown += end
    if not shown[-1].endswith(b"\n"):
        shown.append(b"\n")
    return b"".join(shown), count


def _forged(line: bytes) -> bool:
    return markers.is_forged(ANSI.sub("", line.decode("utf-8", "replace")))


def _store_whole(run: Run, data: bytes, kind: str, compressor: str, view_bytes: int) -> str | None:
    """Store an output as a whole; None when it cannot be now."""
    from caveman_engine.errors import StoreTrouble
    from caveman_engine.recovery import Record, RecoveryStore

    record = Record(content_type=kind, compressor=compressor, view_bytes=view_bytes)
    try:
        with RecoveryStore.open() as store:
            handle = store.put(record, data)
    except StoreTrouble as error:
        console.report(error)
        return None
    _remember(run, data)
    return handle


def _record(run: Run, capture: Capture, shown: "Result") -> None:
    ledger.record(
        ledger.Event(
            "shrink",
            content_type=shown.content_type,
            tokens_in=shown.tokens_before or 0,
            tokens_out=shown.tokens_after or 0,
            bytes_in=capture.size,
            bytes_out=capture.size if shown.reason else len(shown.output),
            reason=shown.reason,
            handle=shown.recovery_handle,
            exit_status=run.status if run.argv else None,
        )
    )
