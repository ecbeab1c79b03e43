"""A Typer group whose commands are rows of a table: name, one-line summary, loader.

Help, completion and the nearest name for a typo come from the table alone; what stands behind a row is loaded when
it runs. Knows no command.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Row(NamedTuple):
    """One command. ``load`` gives the command object behind it (see `pick`)."""

    name: str
    summary: str
    load: Callable[[], Any]


def pick(app: typer.Typer, name: str | None = None) -> Any:
    """Give the command object of an app, or of one command in it."""
    command: Any = typer.main.get_command(app)
    return command.commands[name] if name else command


def group(table: Sequence[Row]) -> type[TyperGroup]:
    """Make the class of a group, for ``typer.Typer(cls=...)``, that offers the rows of ``table``."""
    rows = {row.name: row for row in table}

    class LazyGroup(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            for row in table:
                self.commands[row.name] = TyperCommand(row.name, help=row.summary)

        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            return name, rows[name].load() if name in rows else command, rest

    return LazyGroup
