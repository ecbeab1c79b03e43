"""`caveman-shrink`: a catalogue of tools made shorter, and what each tool of it costs.

A catalogue is what an agent's host sends with every request: MCP, OpenAI, Anthropic or Gemini tools as JSON. The
engine does the shortening; here is the command and the count a tool.
"""

import json
import sys
from typing import Annotated, Any

import typer

from caveman_engine import console
from caveman_engine.errors import CavemanError, UsageError

app = typer.Typer(
    name="caveman-shrink",
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    epilog="\b\ncaveman-shrink < tools.json > short.json\ncaveman-shrink lint tools.json\n",
)
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


@app.callback(invoke_without_command=True)
def shrink(ctx: typer.Context, as_json: Json = False) -> None:
    """Shorten the catalogue on stdin: names, parameters and constraints stay, repeated prose goes."""
    if ctx.invoked_subcommand is not None:
        return
    from dataclasses import asdict

    from caveman_engine import ledger
    from caveman_engine.engine import Engine

    data = _stdin()
    result = Engine.open().compress(data, kind="toolschema")
    ledger.record(
        ledger.Event(
            "compress",
            content_type="toolschema",
            tokens_in=result.tokens_before or 0,
            tokens_out=result.tokens_after or 0,
            bytes_in=len(data),
            bytes_out=len(result.output),
            reason=result.reason,
            handle=result.recovery_handle,
        )
    )
    if as_json:
        console.print_json(asdict(result) | {"output": result.output.decode("utf-8", "replace")})
    else:
        console.write(result.output)


@app.command()
def lint(
    file: Annotated[str | None, typer.Argument(help="A catalogue; without it stdin.")] = None,
    as_json: Json = False,
) -> None:
    """Print the tokens of each tool, dearest first."""
    rows = tokens_by_tool(_read(file) if file else _stdin())
    total = sum(row["tokens"] for row in rows)
    if as_json:
        console.print_json({"tools": rows, "tokens": total, "basis": "inferred"})
        return
    for row in rows:
        typer.echo(f"{row['tokens']:7,}  {row['name']}")
    typer.echo(f"{total:7,}  in all, {len(rows)} tools (inferred)")


@app.command()
def recover(ref: Annotated[str, typer.Argument(help="The handle of the shortened catalogue.")]) -> None:
    """Print the exact catalogue again."""
    from caveman_engine import ledger
    from caveman_engine.engine import Engine
    from caveman_engine.recovery.pointers import parse

    data = Engine.open().retrieve(ref)
    ledger.record(ledger.Event("retrieve", handle=parse(ref).id))
    console.write(data)


def tokens_by_tool(data: bytes) -> list[dict[str, Any]]:
    """Count each tool of a catalogue as it would be sent, dearest first: rows of name and tokens.

    Raises:
        UsageError: not JSON, or no tools in it.
    """
    from caveman_engine.tokens import count

    try:
        found = list(_tools(json.loads(data)))
    except (ValueError, RecursionError) as error:
        raise UsageError("the catalogue is not JSON", hint=str(error)[:120]) from error
    if not found:
        raise UsageError("no tools in it", hint="a list of tools, or an object that holds one under tools")
    rows = [{"name": name, "tokens": count(json.dumps(tool, separators=(",", ":")))} for name, tool in found]
    return sorted(rows, key=lambda row: (-row["tokens"], row["name"]))


def _tools(value: Any) -> Any:
    """Give (name, tool) for every object that has a name and a schema, wherever it stands."""
    schemas = ("inputSchema", "input_schema", "parameters")
    if isinstance(value, list):
        for item in value:
            yield from _tools(item)
    elif isinstance(value, dict):
        if isinstance(value.get("name"), str) and any(key in value for key in schemas):
            yield value["name"], value
        else:
            for item in value.values():
                yield from _tools(item)


def _stdin() -> bytes:
    """Read the catalogue; what cannot be one is refused at once, not after a wait."""
    if sys.stdin.isatty():
        raise UsageError("the catalogue comes on stdin", hint="caveman-shrink < tools.json")
    first = sys.stdin.buffer.readline()
    if b'"jsonrpc"' in first and b'"method"' in first:
        raise UsageError("this is no MCP server", hint="register caveman-mcp: caveman tools mcp install")
    return first + sys.stdin.buffer.read()


def _read(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError as error:
        raise CavemanError(f"cannot read the catalogue: {error.strerror}", where=file) from error


def main() -> None:
    """Run the command."""
    console.run(app, prog="caveman-shrink")
