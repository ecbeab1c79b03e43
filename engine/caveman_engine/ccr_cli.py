"""The commands `caveman tools ccr …`: the owner's housekeeping of the engine's recovery store.

Parses, asks and prints; `recovery.store` does the work. Nothing is removed but by one of these commands.
"""

import json
import re
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from caveman_engine import console
from caveman_engine.errors import UsageError
from caveman_engine.recovery.records import Currentness, Lifecycle

if TYPE_CHECKING:
    from caveman_engine.recovery import Record, RecoveryStore, TypedObject
    from caveman_engine.recovery.records import Removed

app = typer.Typer(
    name="ccr",
    help="Keep house in the recovery store: list, pin, remove, check, carry over.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Ref = Annotated[
    str, typer.Argument(help="A handle, an object's id, or a pointer in any form.", show_default=False)
]
Refs = Annotated[list[str], typer.Argument(help="Handles or objects' ids.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_GONE = "References to what goes stop resolving, in running conversations too."


def _store() -> "RecoveryStore":
    from caveman_engine.recovery import RecoveryStore

    return RecoveryStore.open()


@app.command(
    "ls", epilog="Examples:  caveman tools ccr ls --type json   ·   caveman tools ccr ls --type TestResult"
)
def list_(
    kind: Annotated[
        str | None, typer.Option("--type", "-t", help="A content type, or an object type.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", help="List the objects of a session.")] = None,
    as_json: Json = False,
) -> None:
    """List records, the latest first; with an object type or a session, typed objects."""
    from caveman_engine.recovery.objects import TYPES

    with _store() as store:
        if session is not None or kind in TYPES:
            found = store.objects(session=session, type=kind)
            _print({"objects": [asdict(one) for one in found]}, map(_object_line, found), as_json=as_json)
            return
        records = [record for record in store.ls() if kind in (None, record.content_type)]
    _print({"records": [asdict(one) for one in records]}, map(_record_line, records), as_json=as_json)


@app.command()
def show(
    ref: Ref,
    kind: Annotated[str | None, typer.Option("--type", "-t", help="The object must be of this type.")] = None,
    as_json: Json = False,
) -> None:
    """Say what is known of a record and each of its views, or of a typed object."""
    from caveman_engine.recovery.pointers import parse

    with _store() as store:
        is_object = kind is not None or parse(ref).is_object
        rows = [store.get_object(ref, kind)] if is_object else store.views(ref)
    told = [asdict(row) for row in rows]
    lines = [f"{key}: {_plain(value)}" for row in told for key, value in row.items()]
    _print(told[0] if len(told) == 1 else {"views": told}, lines, as_json=as_json)


@app.command()
def pin(refs: Refs) -> None:
    """Keep records from every gc."""
    with _store() as store:
        for ref in refs:
            store.pin(ref)


@app.command()
def unpin(refs: Refs) -> None:
    """Let gc remove records again when they are old enough."""
    with _store() as store:
        for ref in refs:
            store.pin(ref, pinned=False)


@app.command()
def rm(refs: Refs, yes: Yes = False, as_json: Json = False) -> None:
    """Remove records, pinned or not, and erase their bytes; all of those named, or none."""
    _agree(f"Remove {len(refs)} of the store's records? {_GONE}", yes=yes)
    with _store() as store:
        _print_removed(store.rm(*refs), "removed", as_json=as_json)


@app.command(epilog="Example:  caveman tools ccr gc --older-than 90d --dry-run")
def gc(
    older_than: Annotated[
        str, typer.Option("--older-than", help="Age of the latest use: 90d, 12h, 30m, 2w.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Remove records that were last made a view of before the given age; never pinned ones."""
    seconds = _seconds(older_than)
    if not dry_run:
        _agree(f"Remove what is older than {older_than}? {_GONE}", yes=yes)
    with _store() as store:
        removed = store.gc(seconds, dry_run=dry_run)
    _print_removed(removed, "would be removed" if dry_run else "removed", as_json=as_json)


@app.command()
def verify(as_json: Json = False) -> None:
    """Read everything and compare it with what was put; exit status 1 when anything is wrong."""
    with _store() as store, console.working("verifying"):
        found = store.verify()
    lines = [
        *found.problems,
        f"{found.records:,} records, {found.objects:,} objects, {len(found.problems)} problems",
    ]
    _print(asdict(found), lines, as_json=as_json)
    if found.problems:
        raise typer.Exit(1)


@app.command()
def stats(as_json: Json = False) -> None:
    """Say how much is stored, how much of the budget that is, and how much the files take."""
    with _store() as store:
        found = store.stats()
        where = store.where
    share = found.stored_bytes / found.max_bytes
    lines = [
        f"store: {where}",
        f"{found.records:,} records, {found.objects:,} objects",
        f"{found.stored_bytes:,} of {found.max_bytes:,} bytes used ({share:.0%}), files {found.physical_bytes:,}",
        *(
            f"{name or '(none)'}: {count:,} views, {before:,} -> {after:,} tokens (inferred)"
            for name, (count, before, after) in found.by_type.items()
        ),
    ]
    _print({"where": where, **asdict(found)}, lines, as_json=as_json)
    if found.full:
        console.say(
            f"warning: the store is {share:.0%} full; gc --older-than 90d --dry-run says what could go"
        )


@app.command()
def vacuum(yes: Yes = False, as_json: Json = False) -> None:
    """Give the space of removed records back to the file system; others wait meanwhile."""
    _agree(
        "Rewrite the store's file? Commands that store something wait until it is done, or pass through.",
        yes=yes,
    )
    with _store() as store, console.working("rewriting"):
        freed = store.vacuum()
    _print({"freed_bytes": freed}, [f"{freed:,} bytes freed"], as_json=as_json)


@app.command()
def export(
    refs: Refs,
    file: Annotated[str, typer.Argument(help="The file to make; a zip.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Write records with their views and objects to a new file that only you can read."""
    with _store() as store:
        handles = store.export(refs, file)
    _print({"handles": handles, "file": file}, handles, as_json=as_json)


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(help="A file that export made.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Store the records of an export; each is checked against its handle first."""
    with _store() as store:
        handles = store.import_(file)
    _print({"handles": handles}, handles, as_json=as_json)


@app.command(
    "put-object",
    epilog="Example:  pytest -q | caveman tools ccr put-object --type TestResult --source 'pytest -q'",
)
def put_object(
    kind: Annotated[str, typer.Option("--type", "-t", help="Such as TestResult or TaskDecision.")],
    file: Annotated[str, typer.Argument(help="A file; - or nothing for standard input.")] = "-",
    session: Annotated[str, typer.Option("--session", help="Whose observation it is.")] = "",
    source: Annotated[str, typer.Option("--source", help="Path, command, URL or query it came from.")] = "",
    repository_state: Annotated[str, typer.Option("--repository-state", help="Commit it was true for.")] = "",
    depends_on: Annotated[
        list[str] | None, typer.Option("--depends-on", help="A handle or object's id.")
    ] = None,
    data: Annotated[str, typer.Option("--data", help="A JSON object to keep beside the content.")] = "{}",
    as_json: Json = False,
) -> None:
    """Keep an observation with where it came from; print its id."""
    with _store() as store:
        found = store.put_object(
            kind,
            _read(file),
            session_id=session,
            source=source,
            repository_state=repository_state,
            dependencies=depends_on or (),
            data=_json_object(data),
        )
    _print(asdict(found), [found.object_id], as_json=as_json)


@app.command()
def mark(
    ref: Ref,
    currentness: Annotated[Currentness | None, typer.Option(help="May it still be trusted?")] = None,
    lifecycle: Annotated[Lifecycle | None, typer.Option(help="How near is it kept?")] = None,
    as_json: Json = False,
) -> None:
    """Change how far a typed object can be trusted, or how near it is kept."""
    with _store() as store:
        if currentness is not None:
            store.set_currentness(ref, currentness)
        if lifecycle is not None:
            store.set_lifecycle(ref, lifecycle)
        found = store.get_object(ref)
    _print(asdict(found), [_object_line(found)], as_json=as_json)


def _print(value: dict[str, Any], lines: Any, *, as_json: bool) -> None:
    if as_json:
        console.print_json(value)
    else:
        console.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _print_removed(removed: "Removed", what: str, *, as_json: bool) -> None:
    total = f"{len(removed.handles)} records and {len(removed.objects)} objects {what}, {removed.freed_bytes:,} bytes"
    _print(asdict(removed), [*removed.handles, *removed.objects, total], as_json=as_json)
    if not removed.erased:
        console.say("erasing is not finished: another process still reads; the next write completes it")


def _agree(question: str, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody is there to ask", hint="add --yes when you are sure")
    typer.confirm(question, abort=True, err=True)


def _record_line(record: "Record") -> str:
    pinned = " pinned" if record.pinned else ""
    return f"{record.handle}  {_when(record.seen_at)}  {record.original_bytes:>12,}  {record.content_type}{pinned}"


def _object_line(found: "TypedObject") -> str:
    state = f"{found.currentness}/{found.lifecycle}"
    return f"{found.object_id}  {_when(found.created_at)}  {found.type}  {state}  {found.session_id}  {found.source}"


def _when(nanoseconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(nanoseconds // 10**9))


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _seconds(age: str) -> float:
    found = re.fullmatch(r"(\d{1,9})([smhdw])", age.strip(), re.ASCII)
    if found is None:
        raise UsageError(f"{age!r} is no age", hint="give a number and s, m, h, d or w, such as 90d")
    return int(found[1]) * _UNITS[found[2]]


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--data is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise UsageError("--data is no JSON object")
    return value


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error


def main() -> None:
    """Run the commands by themselves."""
    console.run(app, prog="caveman tools ccr")
