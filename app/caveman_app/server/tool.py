"""What a tool is: name, one or two sentences on when to use it, arguments, true annotations, a function.

Owns the schema that a client sees and the check of what it sends, in one short sentence each. Knows no tool and no
protocol library.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from caveman_engine.errors import UsageError

TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer"}
WORDS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_PYTHON = {"string": str, "integer": int, "array": list}
_NAMES = {"string": "a text", "integer": "a whole number", "array": "a list of texts"}
_MOST = (1 << 53) - 1  # the largest whole number that every JSON reader keeps (RFC 8259, 6)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: texts for the model, in order. ``figures`` come last as one JSON object."""

    text: str
    figures: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. Arguments whose name ends in ``?`` are optional; ``run`` takes them as keywords.

    ``reads``: changes nothing. ``destroys``: what it changes cannot be brought back. ``open_world``: reaches out of
    this machine. ``interrupt`` ends a call that runs, when its client has lost interest.
    """

    name: str
    description: str
    arguments: Mapping[str, Mapping[str, Any]]
    run: Callable[..., Answer]
    reads: bool = True
    destroys: bool = False
    idempotent: bool = False
    open_world: bool = False
    interrupt: Callable[[], None] | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """Give the JSON Schema of the arguments."""
        properties = {name.rstrip("?"): dict(kind) for name, kind in self.arguments.items()}
        required = [name for name in self.arguments if not name.endswith("?")]
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def call(self, given: Mapping[str, Any]) -> Answer:
        """Check the arguments and run.

        Raises:
            UsageError: a missing, unknown or ill-typed argument. And what the tool itself raises.
        """
        kinds = {name.rstrip("?"): kind for name, kind in self.arguments.items()}
        for name in self.arguments:
            if not name.endswith("?") and given.get(name) is None:
                raise UsageError(f"{self.name} needs {name}", hint=f"give {_name(kinds[name])}")
        checked = {}
        for name, value in given.items():
            if name not in kinds:
                raise UsageError(f"{self.name} takes no {_short(name)}", hint=_nearest(name, kinds))
            if value is not None:
                checked[name] = _checked(self.name, name, value, kinds[name])
        return self.run(**checked)


def _checked(tool: str, name: str, value: Any, kind: Mapping[str, Any]) -> Any:
    wanted = _PYTHON[kind["type"]]
    if isinstance(value, float) and wanted is int and value.is_integer():
        value = int(value)
    fits = isinstance(value, wanted) and not (wanted is int and isinstance(value, bool))
    if fits and wanted is list:
        fits = all(isinstance(item, str) for item in value)
    if (
        not fits
        or ("enum" in kind and value not in kind["enum"])
        or (wanted is int and not 0 <= value <= _MOST)
    ):
        raise UsageError(f"{tool}: {name} is not {_name(kind)}", hint=f"give {_name(kind)}")
    return value


def _name(kind: Mapping[str, Any]) -> str:
    return "one of " + ", ".join(kind["enum"]) if "enum" in kind else _NAMES[kind["type"]]


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else "arguments: " + (", ".join(known) or "none")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"
