"""A command run with its output caught: the child process, its signals, and a buffer that stays bounded.

The child's exit status is handed on. Knows nothing of views, stores or ledgers.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

from caveman_engine import console
from caveman_engine.errors import CavemanError

# What the engine takes, and so the most that can be stored of one run.
KEPT_BYTES = 64 * 1024 * 1024
EDGE_BYTES = 64 * 1024
_PROGRESS_SECONDS = 30.0
# A child's own children may hold the pipe open after it has ended; what they say later is not its output.
_GRACE_SECONDS = 1.0
_FAILURE_WORDS = (b"error", b"fatal", b"fail", b"panic", b"exception", b"traceback", b"critical")
_FAILURES = re.compile(rb"\b(error|fatal|failed|failure|panic|exception|traceback|critical)\b")
_FAILURES_NOTED = 40
_NOTE_BYTES = 400


class ProgramMissing(CavemanError):
    """There is no such program, or it cannot be run."""

    code = "cave_program_missing"
    exit_status = 127


class Capture:
    """What a command printed: whole up to 64 MiB (in memory to 8 MiB, then in a file), always its end and its size.

    Beyond ``limit`` the lines that speak of a failure are noted as they pass, so that none in the middle is missed.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self.lines = 0
        self.tail = b""
        self.failures: list[tuple[int, bytes]] = []
        self._kept: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=limit, prefix="caveman-")  # noqa: SIM115

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if self.size + len(data) > self.limit:
            if self.size <= self.limit:
                self._note_failures(self.read(), 0)
                self._kept.seek(0, os.SEEK_END)
            self._note_failures(data, self.lines)
        self._kept.write(data[: max(0, KEPT_BYTES - self.size)])
        self.size += len(data)
        self.lines += data.count(b"\n")
        self.tail = data[-EDGE_BYTES:] if len(data) >= EDGE_BYTES else (self.tail + data)[-EDGE_BYTES:]

    def _note_failures(self, data: bytes, lines_before: int) -> None:
        """Note failure lines; the part of a line at the edge of a block is seen by itself."""
        lower = data.lower()
        # A search for plain bytes passes a gigabyte in a second or two, the expression takes twenty.
        if not any(word in lower for word in _FAILURE_WORDS):
            return
        for found in _FAILURES.finditer(lower):
            if len(self.failures) == _FAILURES_NOTED:
                return
            number = lines_before + data.count(b"\n", 0, found.start()) + 1
            if not self.failures or self.failures[-1][0] != number:
                start, end = data.rfind(b"\n", 0, found.start()) + 1, data.find(b"\n", found.start())
                self.failures.append((number, data[start : end if end >= 0 else None][:_NOTE_BYTES]))

    @property
    def whole(self) -> bool:
        """Tell whether every byte was kept."""
        return self.size <= KEPT_BYTES

    def read(self, size: int = -1) -> bytes:
        """Give the kept bytes from the start."""
        self._kept.seek(0)
        return self._kept.read(size)

    def copy_to(self, target: IO[bytes]) -> None:
        """Write out what is kept."""
        self._kept.seek(0)
        while block := self._kept.read(1 << 20):
            target.write(block)
        target.flush()

    def close(self) -> None:
        """Drop the temporary file."""
        self._kept.close()


@dataclass(frozen=True, slots=True)
class Run:
    """How a command went. ``status`` is the shell's number for it: 128 + n for signal n."""

    argv: tuple[str, ...]
    status: int
    seconds: float


def _start(argv: Sequence[str], **pipes: Any) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(list(argv), **pipes)
    except FileNotFoundError as error:
        one_line = len(argv) == 1 and " " in argv[0]
        hint = (
            f"there is no shell here: bash -o pipefail -c {argv[0]!r}"
            if one_line
            else "check the name and PATH"
        )
        raise ProgramMissing(f"no such program: {argv[0]}", hint=hint) from error
    except OSError as error:
        raise ProgramMissing(
            f"cannot run {argv[0]}: {error.strerror}", hint="check its mode and format"
        ) from error


def passed_through(argv: Sequence[str]) -> Run:
    """Run a command on our own streams."""
    begun = time.monotonic()
    with _start(argv) as process, _Signals(process):
        process.wait()
    return Run(tuple(argv), _status(process.returncode), time.monotonic() - begun)


def captured(argv: Sequence[str], capture: Capture, meanwhile: Callable[[], None] = lambda: None) -> Run:
    """Run a command with both its streams in one pipe, in the order of their arrival.

    ``meanwhile`` is done while the command runs.
    """
    begun = time.monotonic()
    process = _start(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    reader = threading.Thread(target=_drain, args=(process, capture), daemon=True)
    reader.start()
    with _Signals(process):
        meanwhile()
        while True:
            try:
                process.wait(_PROGRESS_SECONDS)
                break
            except subprocess.TimeoutExpired:
                seconds = time.monotonic() - begun
                console.say(
                    f"caveman: {argv[0]} still runs after {seconds:,.0f} s, {capture.lines:,} lines so far"
                )
    reader.join(_GRACE_SECONDS)
    while reader.is_alive() and _grows(capture, reader):
        pass
    return Run(tuple(argv), _status(process.returncode), time.monotonic() - begun)


def _drain(process: "subprocess.Popen[bytes]", capture: Capture) -> None:
    assert process.stdout is not None
    while data := os.read(process.stdout.fileno(), 1 << 16):
        capture.feed(data)


def _grows(capture: Capture, reader: threading.Thread) -> bool:
    """Wait a little; tell whether more came, which is then still in the pipe."""
    before = capture.size
    reader.join(_GRACE_SECONDS / 4)
    return capture.size > before


def _status(returncode: int) -> int:
    return 128 - returncode if returncode < 0 else returncode


class _Signals:
    """Hand on to the child what is meant to end it; an interrupt of the terminal reaches it by itself."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        at_terminal = sys.stdin is not None and sys.stdin.isatty()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            if number := getattr(signal, name, None):
                ignore = name == "SIGINT" and at_terminal
                self._before[number] = signal.signal(number, signal.SIG_IGN if ignore else self._hand_on)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hand_on(self, number: int, _frame: object) -> None:
        self._process.send_signal(number)
