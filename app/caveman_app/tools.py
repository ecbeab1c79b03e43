"""Commands for agents: shrink, mcp, hooks. Parses and prints; the work is in the module of each."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from caveman_engine import console
from caveman_engine.errors import CavemanError, UsageError

if TYPE_CHECKING:
    from caveman_app.install import Change

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
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
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
        sys.exit(shrinker.shrink_command(command, kind=kind, raw=raw, as_json=as_json))
    if not file and sys.stdin.isatty():
        raise UsageError("nothing to shrink", hint="caveman tools shrink -- COMMAND")
    data = _read(file) if file else sys.stdin.buffer.read()
    if raw and not as_json:
        console.write(data)
    else:
        shrinker.shrink_data(data, kind, as_json=as_json)


mcp = typer.Typer(help="Register the MCP server with agents.", no_args_is_help=True, rich_markup_mode=None)
hooks = typer.Typer(
    help="Let agents' noisy commands be shrunk and facts be recalled by themselves.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(mcp, name="mcp")
app.add_typer(hooks, name="hooks")

Agents = Annotated[
    list[str] | None, typer.Option("--agent", help="Name an agent; without it all that are found.")
]
Dry = Annotated[bool, typer.Option("--dry-run", help="Show the diff and write nothing.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


@mcp.command("install")
def mcp_install(
    agent: Agents = None,
    dry_run: Dry = False,
    permissions: Annotated[
        bool | None,
        typer.Option(
            help="Add the agent's own rules: allow the reading tools, ask for or deny the writing ones."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the server's entry into agents' settings; shows the diff, keeps a backup, changes nothing twice."""
    from caveman_app import hosts, install

    found = hosts.chosen(agent or [])
    if permissions is None:
        permissions = (
            sys.stdin.isatty() and not dry_run and typer.confirm("Add permission rules for its tools too?")
        )
    files = [file for host in found for file in hosts.server_files(host, permissions=permissions)]
    _print_changes(install.install(files, "mcp", dry_run=dry_run), as_json=as_json, dry_run=dry_run)


@mcp.command("uninstall")
def mcp_uninstall(agent: Agents = None, dry_run: Dry = False, as_json: Json = False) -> None:
    """Take out what install added; an entry that was changed since is left alone, with an error."""
    from caveman_app import hosts, install

    paths = None
    if agent:
        files = [file for host in hosts.chosen(agent) for file in hosts.server_files(host, permissions=True)]
        paths = [file.path for file in files]
    _print_changes(install.uninstall("mcp", paths, dry_run=dry_run), as_json=as_json, dry_run=dry_run)


@hooks.command("install")
def hooks_install(agent: Agents = None, dry_run: Dry = False, as_json: Json = False) -> None:
    """Write the hooks into agents' settings; shows the diff, keeps a backup, changes nothing twice."""
    from caveman_app import hosts, install

    found = hosts.chosen(agent or [])
    for host in found if agent else ():
        if not hosts.hook_files(host):
            raise UsageError(f"{host.title} has no hooks", hint="caveman tools mcp install works for it")
    files = [file for host in found for file in hosts.hook_files(host)]
    _print_changes(install.install(files, "hooks", dry_run=dry_run), as_json=as_json, dry_run=dry_run)


@hooks.command("uninstall")
def hooks_uninstall(agent: Agents = None, dry_run: Dry = False, as_json: Json = False) -> None:
    """Take the hooks out again."""
    from caveman_app import hosts, install

    paths = None
    if agent:
        paths = [file.path for host in hosts.chosen(agent) for file in hosts.hook_files(host)]
    _print_changes(install.uninstall("hooks", paths, dry_run=dry_run), as_json=as_json, dry_run=dry_run)


@hooks.command("status")
def hooks_status(as_json: Json = False) -> None:
    """Say for each agent whether it calls our hooks, and whether they answer as it would call them."""
    from caveman_app import registrations

    rows = registrations.hooks()
    if as_json:
        console.print_json({"hooks": rows})
        return
    for row in rows:
        typer.echo(f"{row['agent']:16} {row['state']:10} {row['detail'] or ''}".rstrip())


@hooks.command("run", hidden=True)
def hooks_run(host: str, event: str) -> None:
    """Answer one call of a host: its JSON on stdin, ours on stdout."""
    from caveman_app.hooks import run_hook

    sys.exit(run_hook([host, event]))


def _print_changes(changes: "Sequence[Change]", *, as_json: bool, dry_run: bool) -> None:
    if as_json:
        console.print_json({"dry_run": dry_run, "files": [asdict(change) for change in changes]})
        return
    for change in changes:
        typer.echo(change.diff.rstrip("\n") if change.diff else f"{change.path}: already as wanted")
        if change.backup:
            console.say(f"the file as it was: {change.backup}")
    if not changes:
        console.say("nothing to do: no agent found, or nothing of ours there (name one with --agent)")


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
