"""What all commands share at the terminal: running a Typer app, reporting errors, printing data.

stdout is data, stderr is talk. Knows no command and no part of the product.
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from caveman_engine.errors import CavemanError


def run(app: Callable[..., Any], *, prog: str, args: Sequence[str] | None = None) -> None:
    """Run a Typer app and end the process: 0, the error's own status, 2 for usage, 130 for an interrupt."""
    argv = list(sys.argv[1:] if args is None else args)
    try:
        app(args=argv, prog_name=prog)
    except CavemanError as error:
        report(error, as_json="--json" in argv)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is left to say, and the interpreter must not try to flush.
        sys.stdout = None  # type: ignore[assignment]
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
