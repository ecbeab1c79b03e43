"""The commands of ``cavemem`` that look after the memory as a whole: export, import, stats, doctor, backup, reindex.

Parses and prints; no work.
"""

from dataclasses import asdict
from typing import Annotated

import typer

from caveman_engine import console
from caveman_mem.cli import Allow, Json, Mask, app, open_store, policy_of


@app.command(
    epilog="Examples:  caveman mem export > memory.jsonl   ·   caveman mem export --format md > MEMORY.md"
)
def export(
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option("--format", help="jsonl (restores everything) or md (for reading).")
    ] = "jsonl",
) -> None:
    """Print every fact of every scope; jsonl is read back by import with the same ids, times and histories."""
    with open_store() as store:
        for line in store.export(format):
            console.write(line.encode("utf-8", "surrogatepass"))


@app.command(
    "import",
    epilog="Examples:  caveman mem import memory.jsonl --dry-run   ·   caveman mem import --markdown CLAUDE.md",
)
def import_(
    file: Annotated[str, typer.Argument(help='An export, or lines of at least {"text": …}.')],
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Take the bullets of a Markdown file as facts.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; write nothing.")] = False,
    mask: Mask = False,
    allow_secret: Allow = False,
    as_json: Json = False,
) -> None:
    """Read facts from a file. A broken line is named and skipped; the others land."""
    policy = policy_of(mask=mask, allow=allow_secret)
    with open_store(counting=True) as store, console.working("reading facts"):
        done = store.import_(file, markdown=markdown, dry_run=dry_run, secrets=policy)
    if as_json:
        skipped = [{"line": number, "reason": reason} for number, reason in done.skipped]
        console.print_json({"new": done.new, "known": done.known, "skipped": skipped, "dry_run": dry_run})
        return
    verb = "would be new" if dry_run else "new"
    console.write(f"{done.new} {verb}, {done.known} known, {len(done.skipped)} skipped\n".encode())
    for number, reason in done.skipped:
        console.say(f"line {number} skipped: {reason}")


@app.command()
def stats(as_json: Json = False) -> None:
    """Print how many facts there are and what they take."""
    with open_store() as store:
        found = asdict(store.stats())
    if as_json:
        console.print_json(found)
        return
    scopes = found.pop("scopes")
    lines = [f"{name.replace('_', ' ')}: {value:,}" for name, value in found.items() if name != "basis"]
    lines += [f"scope {scope}: {count:,}" for scope, count in scopes.items()]
    console.write(
        ("\n".join(lines) + "\ntoken counts are local (inferred)\n").encode("utf-8", "surrogatepass")
    )


@app.command()
def doctor(as_json: Json = False) -> None:
    """Look at the files, the index and a round trip; exit 1 when something does not work."""
    with open_store() as store:
        checks = store.doctor()
    if as_json:
        console.print_json(
            {"ok": all(check.ok for check in checks), "checks": [asdict(check) for check in checks]}
        )
    else:
        for check in checks:
            fix = f"\n     fix: {check.fix}" if check.fix else ""
            console.write(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}{fix}\n".encode())
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


@app.command()
def backup(file: Annotated[str, typer.Argument(help="A file that does not exist yet.")]) -> None:
    """Write a consistent copy of the memory, readable for you alone."""
    with open_store() as store:
        store.backup(file)
    console.say(f"copied to {file}")


@app.command()
def reindex() -> None:
    """Make the search index anew from the facts; nothing is lost by it."""
    with open_store() as store, console.working("indexing"):
        total = store.reindex()
    console.say(f"{total:,} facts indexed")
