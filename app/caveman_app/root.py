"""The two tables of commands, `caveman` and `caveman tools`: name, summary, and how to load what stands behind.

Knows where each part's Typer app is and nothing of what it does.
"""

from collections.abc import Callable, Sequence
from typing import Any

import typer

from caveman_app.lazy import Row, group, pick

_EXAMPLES = """\b
caveman tools shrink -- pytest -q          run it, show less, keep all
caveman tools compress build.log           a smaller view of a file
caveman tools retrieve ccr_... "disk full" what the original says about it
caveman mem remember "Deploys run at 9"    a fact that lasts
caveman mem recall "when do we deploy"
caveman tools browse https://example.org "pricing"
"""


def root() -> typer.Typer:
    """Build the command `caveman`."""
    return _group("Read less, remember more, lose nothing.", _COMMANDS, _EXAMPLES)


def _group(summary: str, rows: Sequence[Row], epilog: str | None = None) -> typer.Typer:
    made = typer.Typer(
        add_completion=rows is _COMMANDS,
        cls=group(rows),
        help=summary,
        epilog=epilog,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback()(lambda: None)
    return made


def _mem() -> Any:
    from caveman_mem.cli import app

    return pick(app)


def _browse() -> Any:
    from caveman_browser.cli import app

    return pick(app)


def _ccr() -> Any:
    from caveman_engine.ccr_cli import app

    return pick(app)


def _engine(name: str) -> Callable[[], Any]:
    def load() -> Any:
        from caveman_engine.cli import app

        return pick(app, name)

    return load


def _tool(name: str) -> Callable[[], Any]:
    def load() -> Any:
        from caveman_app.tools import app

        return pick(app, name)

    return load


def _command(name: str) -> Callable[[], Any]:
    def load() -> Any:
        from caveman_app.commands import app

        return pick(app, name)

    return load


def _tools() -> Any:
    return pick(_group("The tools one by one.", _TOOLS))


_COMMANDS = (
    Row("mem", "Facts that last: remember, recall, supersede, forget.", _mem),
    Row("tools", "Compress, retrieve, browse, shrink, and set-ups for agents.", _tools),
    Row("stats", "What was compressed, passed through and recovered.", _command("stats")),
    Row("doctor", "Try each part end to end; say what is off and the fix.", _command("doctor")),
    Row("config", "Show and change settings, with where each comes from.", _command("config")),
    Row("telemetry", "There is none; say so.", _command("telemetry")),
    Row("remove", "Undo every install and hook; with --data the home too.", _command("remove")),
    Row("demo", "See all parts work, in a temporary home.", _command("demo")),
    Row("version", "Print the version.", _command("version")),
)
_TOOLS = (
    Row("compress", "Show a smaller view; keep the exact original.", _engine("compress")),
    Row("retrieve", "Give an original back, or what it says about a query.", _engine("retrieve")),
    Row("detect", "Say which content type an input is.", _engine("detect")),
    Row("simulate", "Say what compress would do; write nothing.", _engine("simulate")),
    Row("toon", "Encode JSON as TOON and back.", _engine("toon")),
    Row("ccr", "Look after the recovery store.", _ccr),
    Row("shrink", "Run a command and show less of what it prints.", _tool("shrink")),
    Row("browse", "Read a page in Chrome as a compact tree.", _browse),
    Row("mem", "The same as `caveman mem`.", _mem),
    Row("mcp", "Register the MCP server with agents.", _tool("mcp")),
    Row("hooks", "Shrink agents' commands and recall facts by themselves.", _tool("hooks")),
)
