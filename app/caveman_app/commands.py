"""Commands for the owner: stats, doctor, config, telemetry, remove, demo, version. Parses and prints."""

import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from caveman_engine import console
from caveman_engine.errors import CavemanError, Refused

app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
app.callback()(lambda: None)

Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


@app.command()
def version(as_json: Json = False) -> None:
    """Print the version."""
    from importlib.metadata import version as installed

    found = installed("caveman-toolkit")
    if as_json:
        console.print_json({"version": found})
    else:
        typer.echo(f"caveman-toolkit {found}")


@app.command()
def stats(
    as_json: Json = False,
    html: Annotated[str | None, typer.Option("--html", help="Write a page with charts to this file.")] = None,
) -> None:
    """Say what was compressed, passed through and recovered, and what it saved by local counts."""
    from caveman_app import stats as figures

    found = figures.figures()
    if html:
        from caveman_app.stats_page import page

        _write(html, page(found))
        console.say(f"written: {html}")
    if as_json:
        console.print_json(found)
    elif not html:
        typer.echo(figures.as_text(found))


@app.command()
def doctor(as_json: Json = False) -> None:
    """Try each part end to end and look at the set-up. Exit 1 if anything that is set up does not work."""
    from caveman_app.doctor import checks

    with console.working("looking"):
        rows = checks()
    well = not any(row.state == "fails" for row in rows)
    if as_json:
        console.print_json({"ok": well, "checks": [asdict(row) for row in rows]})
    else:
        for row in rows:
            typer.echo(f"{row.state:6} {row.part:22} {row.detail}")
            if row.fix and row.state != "ok":
                typer.echo(f"{'':29} fix: {row.fix}")
    sys.exit(0 if well else 1)


config = typer.Typer(
    help="Show and change settings.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog="\b\ncaveman config get\ncaveman config set engine.types.log false\n",
)
app.add_typer(config, name="config")


@config.command("get")
def config_get(
    key: Annotated[str | None, typer.Argument(help="One setting; without it all.")] = None,
    as_json: Json = False,
) -> None:
    """Show values and where each comes from: default, a file, or a variable."""
    from caveman_engine import config as settings

    found = settings.load()
    rows = [found.setting(key)] if key else found.all()
    if as_json:
        ignored = [{"key": name, "file": file} for name, file in found.ignored]
        console.print_json({"settings": [asdict(row) for row in rows], "ignored": ignored})
        return
    for row in rows:
        typer.echo(f"{row.key} = {_shown(row.value)}  ({row.source})")
    for name, file in found.ignored:
        console.say(f"{file} asks for {name}: a project can only make things more cautious")


@config.command("set")
def config_set(key: str, value: str, as_json: Json = False) -> None:
    """Write one value into config.toml; comments and order stay."""
    from caveman_engine import config as settings

    row = settings.set_value(key, value)
    if as_json:
        console.print_json(asdict(row))
    console.say(f"{row.key} = {_shown(row.value)}  ({row.source})")
    held = settings.load().setting(key)
    if held.source != row.source:
        console.say(f"but {held.source} says {_shown(held.value)}, and that holds")


@config.command("path")
def config_path(as_json: Json = False) -> None:
    """Print the path of config.toml."""
    from caveman_engine import config as settings

    if as_json:
        console.print_json({"path": settings.path()})
    else:
        typer.echo(settings.path())


telemetry = typer.Typer(help="There is no telemetry.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(telemetry, name="telemetry")


@telemetry.command("status")
def telemetry_status(as_json: Json = False) -> None:
    """Say that nothing is ever sent."""
    if as_json:
        console.print_json({"telemetry": False})
    else:
        typer.echo("Nothing is ever sent: there is no telemetry, and so nothing to switch on or off.")


@telemetry.command("on")
def telemetry_on() -> None:
    """Accepted; changes nothing."""
    telemetry_status()


@telemetry.command("off")
def telemetry_off() -> None:
    """Accepted; changes nothing."""
    telemetry_status()


@app.command()
def remove(
    data: Annotated[
        bool, typer.Option("--data", help="Delete memories, originals and settings too.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Undo every install and hook; with --data delete what the toolkit keeps, after asking."""
    from caveman_app import removal

    changes = removal.undo()
    if not as_json:
        for change in changes:
            typer.echo(change.diff.rstrip("\n") or f"{change.path}: nothing of ours left")
    deleted: list[str] = []
    if data:
        _ask_to_delete(removal.owned(), yes=yes)
        deleted = removal.delete_data()
        console.say(f"{len(deleted)} deleted; the program itself: pip uninstall caveman-toolkit")
    if as_json:
        console.print_json({"files": [asdict(change) for change in changes], "deleted": deleted})


def _ask_to_delete(paths: list[str], *, yes: bool) -> None:
    for path in paths:
        console.say(f"will be deleted: {path}")
    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused("deleting needs a word", hint="caveman remove --data --yes")
    if not typer.confirm("Delete them? Memories and originals cannot be brought back."):
        raise Refused("nothing was deleted")


@app.command()
def demo() -> None:
    """Show all parts at work on this machine, in a temporary home."""
    from caveman_app.demo import run

    sys.exit(run())


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return (
        ", ".join(map(str, value))
        if isinstance(value, (list, tuple))
        else str("unset" if value is None else value)
    )


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CavemanError(f"cannot write: {error.strerror}", where=path) from error
