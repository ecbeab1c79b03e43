"""The command caveman-engine: compress, detect, simulate, retrieve, stats, toon. Parses and prints; no work.

The same commands stand under ``caveman tools``. stdout is data, stderr is talk.
"""

import base64
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from caveman_engine import console
from caveman_engine.errors import CavemanError, UsageError

if TYPE_CHECKING:
    from caveman_engine.engine import Result
    from caveman_engine.ledger import Event

app = typer.Typer(
    name="caveman-engine",
    help="Smaller views of logs, JSON, diffs, pages and code; the exact original stays recoverable.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
toon = typer.Typer(help="Encode JSON as TOON and back, behind a round-trip guard.", no_args_is_help=True)

File = Annotated[str, typer.Argument(help="A file; - or nothing for standard input.", show_default=False)]
Kind = Annotated[
    str | None, typer.Option("--type", "-t", help="Name the content type instead of detecting it.")
]
Query = Annotated[
    str | None, typer.Option("--query", "-q", help="What you want to know: decides what is kept.")
]
Bound = Annotated[
    int | None, typer.Option("--max-tokens", "-n", help="Upper bound of the view; 0: none.", min=0)
]
Mode = Annotated[str, typer.Option("--mode", help="compress, or record (never transforms).")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


@app.command(
    epilog="Examples:  pytest -q 2>&1 | caveman-engine compress   ·   "
    "caveman-engine compress build.log --query 'why did linking fail' --max-tokens 2000"
)
def compress(
    file: File = "-",
    kind: Kind = None,
    query: Query = None,
    max_tokens: Bound = None,
    mode: Mode = "compress",
    as_json: Json = False,
) -> None:
    """Print a smaller view; the exact original is stored first and its handle stands in the last line."""
    _compress(file, kind, query, max_tokens, mode, as_json=as_json, keep=True)


@app.command()
def simulate(
    file: File = "-",
    kind: Kind = None,
    query: Query = None,
    max_tokens: Bound = None,
    mode: Mode = "compress",
    as_json: Json = False,
) -> None:
    """Print what compress would, and write nothing."""
    _compress(file, kind, query, max_tokens, mode, as_json=as_json, keep=False)


@app.command()
def detect(file: File = "-", as_json: Json = False) -> None:
    """Print the content types that the input may be, surest first."""
    from caveman_engine.engine import Engine

    ranked = Engine().detect(_read(file))
    if as_json:
        console.print_json({"types": [{"type": name, "score": round(score, 3)} for name, score in ranked]})
        return
    for name, score in ranked or [("unknown", 0.0)]:
        print(f"{name}\t{score:.2f}")


@app.command(
    epilog="Examples:  caveman-engine retrieve ccr_… > build.log   ·   caveman-engine retrieve ccr_… 'disk full'   ·   "
    "caveman-engine retrieve 'ccr://ccr_…#/items/7'   ·   caveman-engine retrieve 'ccr://ccr_…#line=10,20'"
)
def retrieve(
    ref: Annotated[
        str, typer.Argument(help="ccr_…, ccr://ccr_…#selector, <<ccr:ccr_…>>", show_default=False)
    ],
    query: Annotated[
        list[str] | None, typer.Argument(help="Words: show the units that match, bounded.")
    ] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", "-n", help="Bound of a query view; 0: none.", min=0)
    ] = 2000,
    as_json: Json = False,
) -> None:
    """Give the exact original back, byte for byte; or a bounded view of the parts that match a query."""
    from caveman_engine import ledger
    from caveman_engine.engine import Engine
    from caveman_engine.recovery.pointers import parse

    found = Engine.open().retrieve(ref, " ".join(query or ()), max_tokens=max_tokens)
    ledger.record(ledger.Event("retrieve", handle=parse(ref).id))
    if not isinstance(found, bytes):
        if as_json:
            console.print_json(asdict(found))
        else:
            console.write(found.text.encode("utf-8", "replace"))
        return
    if as_json:
        console.print_json({"recovery_handle": ref.strip(), **_content(found)})
    else:
        console.write(found)


@app.command()
def stats(as_json: Json = False) -> None:
    """Print how much the recovery store holds, by type."""
    from caveman_engine.recovery import RecoveryStore

    with RecoveryStore.open() as store:
        found = store.stats()
    if as_json:
        console.print_json(asdict(found))
        return
    print(f"{found.records:,} originals, {found.stored_bytes:,} of {found.max_bytes:,} bytes stored")
    for name, (count, before, after) in sorted(found.by_type.items()):
        print(f"{name:24} {count:6,}  {before:12,} -> {after:10,} tokens (inferred)")
    if found.full:
        console.say("the store is more than 80 % full: see `caveman tools ccr gc --dry-run`")


@toon.command("encode")
def toon_encode(file: File = "-") -> None:
    """Print a JSON document as TOON; refused when it would not come back the same."""
    from caveman_engine.compressors.toon import encode

    print(encode(_text(file)))


@toon.command("decode")
def toon_decode(file: File = "-") -> None:
    """Print a TOON document as JSON."""
    from caveman_engine.compressors.toon import decode

    print(decode(_text(file)))


app.add_typer(toon, name="toon")


def main() -> None:
    """Run the command."""
    console.run(app, prog="caveman-engine")


def _compress(
    file: str,
    kind: str | None,
    query: str | None,
    max_tokens: int | None,
    mode: str,
    *,
    as_json: bool,
    keep: bool,
) -> None:
    from caveman_engine import ledger
    from caveman_engine.engine import MODES, Engine
    from caveman_engine.registry import BY_NAME

    if kind is not None and kind not in BY_NAME:
        raise UsageError(f"unknown type {kind!r}", hint="types: " + ", ".join(BY_NAME))
    if mode not in MODES:
        console.say(f"unknown mode {mode!r}: recording only (modes: {', '.join(MODES)})")
    data = _read(file)
    engine = Engine.open()
    make = engine.compress if keep else engine.simulate
    with console.working("compressing"):
        result = make(data, kind=kind, query=query, max_tokens=max_tokens, mode=mode)
    if keep:
        ledger.record(_event(result, len(data)))
    if as_json:
        console.print_json(_report(result) | _content(result.output))
    else:
        console.write(result.output)
        console.say_json(_report(result))


def _event(result: "Result", bytes_in: int) -> "Event":
    from caveman_engine.ledger import Event

    return Event(
        "compress",
        content_type=result.content_type,
        tokens_in=result.tokens_before or 0,
        tokens_out=result.tokens_after or 0,
        bytes_in=bytes_in,
        bytes_out=len(result.output),
        reason=result.reason,
        handle=result.recovery_handle,
    )


def _report(result: "Result") -> dict[str, Any]:
    """Give every field of a result but its output."""
    fields = asdict(result)
    del fields["output"]
    return fields


def _content(data: bytes) -> dict[str, str]:
    """Put bytes into JSON: as text where they are UTF-8, else base64, exact either way."""
    try:
        return {"output": data.decode("utf-8"), "output_encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"output": base64.b64encode(data).decode("ascii"), "output_encoding": "base64"}


def _read(file: str) -> bytes:
    from caveman_engine.engine import LIMIT

    try:
        if file == "-":
            return sys.stdin.buffer.read(LIMIT + 1)
        with open(file, "rb") as source:
            return source.read(LIMIT + 1)
    except OSError as error:
        raise CavemanError(f"cannot read the input: {error.strerror}", where=file) from error


def _text(file: str) -> str:
    from caveman_engine.payload import decode

    return decode(_read(file))[0]


if __name__ == "__main__":
    main()
