"""Commands for agents: shrink, mcp, hooks. Parses and prints; the work is in the module of each."""

import sys
from typing import Annotated

import typer

from caveman_engine import console
from caveman_engine.errors import CavemanError, UsageError

app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
app.callback()(lambda: None)


@app.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    epilog="""\b
caveman tools shrink -- pytest -q
caveman tools shrink -- bash -o pipefail -c 'make 2>&1 | tee build.log'
caveman tools shrink --file build.log
kubectl describe pods | caveman tools shrink
""",
)
def shrink(
    command: Annotated[
        list[str] | None, typer.Argument(help="The command and its arguments, after --.")
    ] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Content type, when you know it.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Show the command's own bytes.")] = False,
    file: Annotated[str | None, typer.Option("--file", help="Shrink a file instead of a command.")] = None,
) -> None:
    """Run a command without a shell and show a smaller view of what it prints; nothing is lost.

    Both its streams are shown in the order of their arrival. The exit status is the command's own; 127 when there is
    no such program, 128 + n when signal n ended it.
    """
    from caveman_app import shrink as shrinker

    if kind is not None:
        _check_kind(kind)
    if command and file:
        raise UsageError("a command and --file at once", hint="give one of them")
    if command:
        sys.exit(shrinker.shrink_command(command, kind=kind, raw=raw))
    data = _read(file) if file else sys.stdin.buffer.read()
    if raw:
        console.write(data)
    else:
        shrinker.shrink_data(data, kind)


def _check_kind(kind: str) -> None:
    from caveman_engine.registry import BY_NAME

    if kind not in BY_NAME:
        raise UsageError(f"there is no type {kind!r}", hint="types: " + ", ".join(BY_NAME))


def _read(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError as error:
        raise CavemanError(f"cannot read the file: {error.strerror}", where=file) from error
