"""Tool catalogues of MCP, OpenAI, Anthropic and Gemini: where the tools are, and what of one can go.

Owns which keywords of a JSON Schema only annotate; a property that has the name of a keyword is no keyword.
"""

import re
from collections.abc import Iterator
from typing import Any

SCHEMAS = frozenset(
    ("inputSchema", "input_schema", "parameters", "outputSchema", "output_schema", "parametersJsonSchema")
)
INPUTS = SCHEMAS - {"outputSchema", "output_schema"}
# Members whose keys are names the author chose, each with a schema under it.
NAMED_SCHEMAS = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"))
# Members whose values are data, not schemas.
DATA = frozenset(("enum", "const", "default", "required", "examples", "example"))
ANNOTATIONS = frozenset(("title", "examples", "example", "$schema", "deprecated"))

_DROPPED = frozenset(("$schema", "$id", "$comment", "title", "examples", "example", "readOnly", "writeOnly"))
_TOOL_DROPPED = frozenset(
    ("title", "annotations", "execution", "_meta", "icons", "outputSchema", "output_schema")
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\w\"'`(*])|(?:\\r)?(?:\\n)+\s*(?:[-*] )?")
_CONSTRAINT = re.compile(
    r"\b(?:must|only|never|required?|requires|can ?not|can't|don't|do not|does not|should|shall|at most|at least|"
    r"max\w*|min\w*|limit\w*|default\w*|deprecated|format|iso|rfc|one of|either|instead|before|after|unless|"
    r"until|warning|"
    r"important|note|exactly|between|range|optional|allowed|seconds|milliseconds|bytes|characters|unique|absolute|"
    r"relative|case[- ]sensitive|ignored|fails?|error|exclusive\w*|up to|not)\b",
    re.IGNORECASE,
)


def tools(value: Any) -> Iterator[dict[str, Any]]:
    """Find the tools in a parsed value, in order: objects with a name and a schema of parameters."""
    stack = [value]
    while stack:
        here = stack.pop()
        if type(here) is dict:
            if is_tool(here):
                yield here
            else:
                stack.extend(reversed(list(here.values())))
        elif type(here) is list:
            stack.extend(reversed(here))


def is_tool(value: Any) -> bool:
    """Tell a tool by its name and its schema."""
    return (
        type(value) is dict
        and type(value.get("name")) is str
        and any(type(value.get(key)) is dict for key in INPUTS)
    )


class Shortener:
    """Shortens tools one after the other; what it does to one depends only on the ones before it.

    A parameter's description that stood before, for a parameter of the same name, becomes a reference to it.
    """

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], str] = {}

    def tool(self, tool: dict[str, Any]) -> dict[str, Any]:
        """Give a tool with its names, types, constraints and first sentences."""
        name = tool["name"]
        short: dict[str, Any] = {}
        for key, value in tool.items():
            if key in INPUTS and type(value) is dict:
                short[key] = self._schema(value, name)
            elif key == "description" and type(value) is str:
                short[key] = sentences(value)
            elif key == "annotations" and type(value) is dict and value.get("readOnlyHint") is True:
                short[key] = {"readOnlyHint": True}
            elif key not in _TOOL_DROPPED:
                short[key] = value
        return short

    def _schema(self, schema: Any, tool: str) -> Any:
        if type(schema) is list:
            return [self._schema(item, tool) for item in schema]
        if type(schema) is not dict:
            return schema
        short: dict[str, Any] = {}
        for key, value in schema.items():
            if key in NAMED_SCHEMAS and type(value) is dict:
                short[key] = {name: self._named(name, part, tool) for name, part in value.items()}
            elif key in DATA - _DROPPED:
                short[key] = value
            elif key == "description" and type(value) is str:
                short[key] = sentences(value)
            elif key not in _DROPPED and not (key == "additionalProperties" and value is False):
                short[key] = self._schema(value, tool)
        return short

    def _named(self, name: str, schema: Any, tool: str) -> Any:
        short = self._schema(schema, tool)
        if type(short) is dict and type(text := short.get("description")) is str and len(text) > 40:
            first = self._said.setdefault((name, text), tool)
            if first != tool:
                short["description"] = f"as in {first}"
        return short


def sentences(text: str) -> str:
    """Keep the first sentence of a description and those that state a constraint (``text`` as the source spells it)."""
    parts = [part for part in _SENTENCE.split(text) if part]
    return " ".join(part for i, part in enumerate(parts) if i == 0 or _CONSTRAINT.search(part))


def first_sentence(text: str) -> str:
    """Give the first sentence of a description."""
    return _SENTENCE.split(text, maxsplit=1)[0]
