"""`caveman-mcp`: the toolkit over the Model Context Protocol, on stdin and stdout.

Owns the protocol's side: versions, errors as results, cancelling, and an end that comes with the host's. What the
tools do is in `server`; the official SDK carries the protocol.
"""

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from caveman_engine.errors import CavemanError, UsageError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

    from caveman_app.server.tool import Tool

    Context = ServerRequestContext[Any]

_MOST_ERROR_CHARACTERS = 400
_END_SECONDS = 1.5
_INSTRUCTIONS = (
    "Views name what they leave out; caveman_retrieve brings it back exactly. Recall before you search again."
)


def main(argv: Sequence[str] | None = None) -> None:
    """Serve until the host closes stdin or dies."""
    from caveman_engine import console

    options = _options(list(sys.argv[1:] if argv is None else argv))
    try:
        session = _Session(options)
    except CavemanError as error:
        console.report(error)
        sys.exit(error.exit_status)
    _end_with_parent(session.close)
    import anyio

    with suppress(KeyboardInterrupt):
        anyio.run(_serve, session)
    _end(session.close)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="caveman-mcp", description="Serve the toolkit's tools over MCP on stdio."
    )
    parser.add_argument("--tools", help="groups, comma-separated: mem, engine, browser, files")
    parser.add_argument("--browser-write", action="store_true", help="list browser_act and browser_eval too")
    parser.add_argument("--browser-profile", metavar="NAME", help="use a kept, logged-in profile")
    return parser.parse_args(argv)


def catalogue_tokens() -> int:
    """Count what the default list of tools costs a session of an agent."""
    return _Session(_options([])).catalogue_tokens()


class _Session:
    """The tools of one connection, in the order in which they are listed."""

    def __init__(self, options: argparse.Namespace) -> None:
        from secrets import token_hex

        from caveman_engine import config

        settings = config.load()
        self.id = token_hex(8)
        self._closing: list[Callable[[], None]] = []
        groups = options.tools.split(",") if options.tools else settings.get("mcp.tools")
        unknown = [group for group in groups if group not in config.TOOL_GROUPS]
        if unknown:
            raise UsageError(f"no group {unknown[0]!r}", hint="groups: " + ", ".join(config.TOOL_GROUPS))
        self.memory: Any = None
        tools: list[Tool] = []
        for group in config.TOOL_GROUPS:
            if group in groups:
                tools += self._group(group, options, settings)
        self.tools = {tool.name: tool for tool in tools}

    def _group(self, group: str, options: argparse.Namespace, settings: Any) -> "list[Tool]":
        from caveman_app.server.memory_tools import MemoryTools

        scope = settings.get("mem.scope")
        if self.memory is None and group in ("mem", "files"):
            self.memory = MemoryTools(self.id, scope=scope, secrets=settings.get("mem.secrets"))
            self._closing.append(self.memory.store.close)
        if group == "mem":
            return list(self.memory.tools())
        if group == "engine":
            from caveman_app.server.engine_tools import EngineTools

            return EngineTools(self.id, self.catalogue_tokens).tools()
        if group == "files":
            from caveman_app.server.file_tools import FileTools

            return FileTools(self.memory.store, self.id, scope=scope).tools()
        from caveman_app.server.browser_tools import BrowserTools

        browser = BrowserTools(write=options.browser_write, profile=options.browser_profile)
        self._closing.insert(0, browser.close)
        return browser.tools()

    def catalogue_tokens(self) -> int:
        """Count what the list of tools costs its reader."""
        import json

        from caveman_engine.tokens import count

        rows = [
            {"name": t.name, "description": t.description, "inputSchema": t.schema}
            for t in self.tools.values()
        ]
        return count(json.dumps(rows, separators=(",", ":")))

    def named(self, client: str) -> None:
        """Learn who the client is: facts remember it as their source."""
        if self.memory is not None:
            self.memory.source = "agent:" + "".join(filter(str.isprintable, client))[:60]

    def close(self) -> None:
        """Let go of Chrome and the stores."""
        for close in self._closing:
            close()


async def _serve(session: _Session) -> None:
    from mcp.server.stdio import stdio_server

    server = _server(session)
    async with stdio_server() as (read, write):
        await server.run(_Lenient(read), write, server.create_initialization_options())


def _server(session: _Session) -> "Server[Any]":
    from importlib.metadata import version

    from mcp.server.lowlevel import Server
    from mcp.types import ListToolsResult

    listed = ListToolsResult(tools=[_described(tool) for tool in session.tools.values()])

    async def list_tools(_ctx: "Context", _params: "PaginatedRequestParams | None") -> "ListToolsResult":
        return listed

    async def call_tool(ctx: "Context", params: "CallToolRequestParams") -> "CallToolResult":
        known = ctx.session.client_params
        if known is not None:
            session.named(known.client_info.name)
        return await _called(session.tools, params.name, params.arguments or {})

    return Server(
        "caveman",
        version=version("caveman-toolkit"),
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: "Tool") -> Any:
    from mcp.types import Tool as Described
    from mcp.types import ToolAnnotations

    return Described(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=ToolAnnotations(
            read_only_hint=tool.reads,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.reads or tool.idempotent,
            open_world_hint=tool.open_world,
        ),
    )


async def _called(tools: "dict[str, Tool]", name: str, arguments: dict[str, Any]) -> "CallToolResult":
    """Run a tool on a thread; a cancelled call is left at once and told to end.

    Raises:
        MCPError: the name is not listed. The protocol takes that for the client's mistake, not a tool's failure.
    """
    import anyio
    from anyio.to_thread import run_sync
    from mcp import MCPError
    from mcp.types import INVALID_PARAMS

    tool = tools.get(name)
    if tool is None:
        unknown = UsageError("there is no such tool", hint="tools: " + ", ".join(tools))
        raise MCPError(INVALID_PARAMS, _told(unknown))
    try:
        return await run_sync(_run, tool, arguments, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        if tool.interrupt is not None:
            threading.Thread(target=tool.interrupt, daemon=True).start()
        raise


def _run(tool: "Tool", arguments: dict[str, Any]) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent

    try:
        answer = tool.call(arguments)
    except CavemanError as error:
        return _failed(error)
    except Exception as error:  # noqa: BLE001 - a client gets a sentence, never a traceback
        return _failed(
            CavemanError(f"{tool.name} failed inside: {type(error).__name__}", hint="caveman doctor")
        )
    content = [TextContent(type="text", text=_sound(answer.text))]
    if answer.figures is not None:
        import json

        content.append(TextContent(type="text", text=json.dumps(answer.figures, ensure_ascii=False)))
    return CallToolResult(content=list(content))


def _failed(error: CavemanError) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=_told(error))], is_error=True)


def _told(error: CavemanError) -> str:
    """Say an error with its code and hint, shortened: what was wrong may be a megabyte."""
    text = str(error)
    if len(text) > _MOST_ERROR_CHARACTERS:
        text = f"{text[: _MOST_ERROR_CHARACTERS // 2]} … {text[-_MOST_ERROR_CHARACTERS // 2 :]}"
    return _sound(text)


def _sound(text: str) -> str:
    """Replace lone surrogates, which no JSON text can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _Lenient:
    """The stream of messages; fills in what an old or careless client leaves out of initialize."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __aiter__(self) -> "_Lenient":
        return self

    async def __anext__(self) -> Any:
        return _mended(await self._stream.__anext__())

    async def receive(self) -> Any:
        return _mended(await self._stream.receive())

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *exception: object) -> Any:
        return await self._stream.__aexit__(*exception)


def _mended(item: Any) -> Any:
    from mcp_types.version import LATEST_HANDSHAKE_VERSION

    message: Any = getattr(item, "message", None)
    if getattr(message, "method", None) == "initialize" and hasattr(message, "id"):
        given = message.params if isinstance(message.params, dict) else {}
        unknown = {"name": "unknown", "version": "0"}
        defaults = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": unknown}
        message.params = defaults | {name: value for name, value in given.items() if value is not None}
    return item


def _end_with_parent(close: Callable[[], None]) -> None:
    """Watch for the host's death: a pipe that somebody else holds open would not tell."""
    if os.name != "posix":
        return
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        _end(close)

    threading.Thread(target=watch, daemon=True).start()


def _end(close: Callable[[], None]) -> None:
    """End the process now: what still runs on a thread must not keep it."""
    closer = threading.Thread(target=close, daemon=True)
    closer.start()
    closer.join(_END_SECONDS)
    os._exit(0)
