"""What all commands share at the terminal: running a Typer app, reporting errors, printing data.

stdout is data, stderr is talk. Knows no command and no part of the product.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from caveman_engine.errors import CavemanError


def run(app: Callable[..., Any], *, prog: str, args: Sequence[str] | None = None) -> None:
    """Run a Typer app and end the process: 0, the error's own status, 2 for usage, 130 for an interrupt."""
    argv = list(sys.argv[1:] if args is None else args)
    # Started with a closed stream (`>&-`): what would be said is lost, the command is not.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for the whole process
    try:
        app(args=argv, prog_name=prog)
    except CavemanError as error:
        report(error, as_json="--json" in argv)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is left to say, and the interpreter must not try to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def report(error: CavemanError, *, as_json: bool = False) -> None:
    """Say an error on stderr, as text or as one JSON object."""
    text = json.dumps(error.as_dict(), ensure_ascii=False) if as_json else str(error)
    sys.stderr.write(text + "\n")


def print_json(value: Any) -> None:
    """Print one JSON object on stdout, in the form that every ``--json`` has."""
    write((json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))


def write(data: bytes) -> None:
    """Put bytes on stdout unaltered."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(text: str) -> None:
    """Talk to the person on stderr."""
    sys.stderr.write(text + "\n")


def say_json(value: Any) -> None:
    """Put one JSON line on stderr: a report beside data that went to stdout."""
    say(json.dumps(value, ensure_ascii=False))


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a spinner on stderr while the block runs, after one second and only where a person looks."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    from rich.console import Console

    status = Console(stderr=True).status(what)
    timer = Timer(1.0, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()
