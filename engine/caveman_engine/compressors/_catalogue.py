"""Tool catalogues of MCP, OpenAI, Anthropic and Gemini: where the tools are, and what of one can go.

Owns which keywords of a JSON Schema only annotate; a property that has the name of a keyword is no keyword.
"""

import re
from collections.abc import Iterator
from typing import Any

from caveman_engine.compressors._json_records import spell

SCHEMAS = frozenset(
    ("inputSchema", "input_schema", "parameters", "outputSchema", "output_schema", "parametersJsonSchema")
)
INPUTS = SCHEMAS - {"outputSchema", "output_schema"}
# Members whose keys are names the author chose, each with a schema under it.
NAMED_SCHEMAS = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"))
DEFINITIONS = frozenset(("$defs", "definitions"))
# Members whose values are data, not schemas.
DATA = frozenset(("enum", "const", "default", "required", "examples", "example"))
ANNOTATIONS = frozenset(("title", "examples", "example", "$schema", "deprecated"))

_DROPPED = frozenset(("$schema", "$id", "$comment", "title", "examples", "example", "readOnly", "writeOnly"))
_TOOL_DROPPED = frozenset(
    ("title", "annotations", "execution", "_meta", "icons", "outputSchema", "output_schema")
)
_REFERENCE = re.compile(r"/([^/\"]+)\"")
_AS_IN = "as in "
# A schema of so many characters stands once; schemas under more names than this are not compared.
_WORTH_A_REFERENCE, _DEEPEST = 160, 3
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\w\"'`(*])|(?:\\r)?(?:\\n)+\s*(?:[-*] )?")
_CONSTRAINT = re.compile(
    r"\b(?:must|only|never|required?|requires|can ?not|can't|don't|do not|does not|should|shall|at most|at least|"
    r"max\w*|min\w*|limit\w*|default\w*|deprecated|format|iso|rfc|one of|either|instead|before|after|unless|"
    r"until|warning|"
    r"important|note|exactly|between|range|optional|allowed|seconds|milliseconds|bytes|characters|unique|absolute|"
    r"relative|case[- ]sensitive|returns|ignored|fails?|error|exclusive\w*|up to|not)\b",
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

    What stood before under the same name, a long schema or a description, becomes a reference to the tool where it
    stands. A definition that nothing refers to stands once.
    """

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], str] = {}
        self._definitions = ""
        self._depth = 0

    def tool(self, tool: dict[str, Any]) -> dict[str, Any]:
        """Give a tool with its names, types, constraints and first sentences."""
        name = tool["name"]
        short: dict[str, Any] = {}
        for key, value in tool.items():
            if key in INPUTS and type(value) is dict:
                self._definitions = spell([value.get(key) for key in DEFINITIONS])
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
            if key in DEFINITIONS and type(value) is dict:
                if definitions := self._defined(value, schema, tool):
                    short[key] = definitions
            elif key in NAMED_SCHEMAS and type(value) is dict:
                short[key] = {name: self._named(name, part, tool) for name, part in value.items()}
            elif key in DATA - _DROPPED:
                short[key] = value
            elif key == "description" and type(value) is str:
                short[key] = sentences(value)
            elif key not in _DROPPED and not (key == "additionalProperties" and value is False):
                short[key] = self._schema(value, tool)
        return short

    def _defined(self, named: dict[str, Any], schema: dict[str, Any], tool: str) -> dict[str, Any]:
        """Shorten definitions but for those that stood before and that nothing in ``schema`` refers to."""
        used = _referred(named, {key: part for key, part in schema.items() if key not in DEFINITIONS})
        short: dict[str, Any] = {}
        for name, part in named.items():
            found = self._named(name, part, tool)
            if name in used or not _is_reference(found):
                short[name] = found
        return short

    def _named(self, name: str, schema: Any, tool: str) -> Any:
        if (first := self._first(name, schema, tool)) != tool:
            kept = {"type": schema["type"]} if "type" in schema else {}
            return kept | {"description": f"{_AS_IN}{first}"}
        self._depth += 1
        short = self._schema(schema, tool)
        self._depth -= 1
        if type(short) is dict and type(text := short.get("description")) is str and len(text) > 40:
            first = self._said.setdefault((name, text), tool)
            if first != tool:
                short["description"] = f"{_AS_IN}{first}"
        return short

    def _first(self, name: str, schema: Any, tool: str) -> str:
        """Give the first tool that has this long schema under this name; what it refers to must be the same, too."""
        if (
            type(schema) is not dict
            or self._depth > _DEEPEST
            or len(text := spell(schema)) < _WORTH_A_REFERENCE
        ):
            return tool
        return self._said.setdefault((name, text + (self._definitions if '"$ref"' in text else "")), tool)


def _referred(named: dict[str, Any], schema: dict[str, Any]) -> set[str]:
    """Find the definitions that a schema refers to, and those that these refer to."""
    texts = {name: spell(part) for name, part in named.items()}
    found: set[str] = set()
    new = [spell(schema)]
    while new:
        text = new.pop()
        more = {name for name in set(_REFERENCE.findall(text)).difference(found) if name in texts}
        found |= more
        new.extend(texts[name] for name in sorted(more))
    return found


def _is_reference(schema: Any) -> bool:
    return type(schema) is dict and str(schema.get("description", "")).startswith(_AS_IN)


def sentences(text: str) -> str:
    """Keep the first sentence of a description and those that state a constraint (``text`` as the source spells it)."""
    parts = [part for part in _SENTENCE.split(text) if part]
    return " ".join(part for i, part in enumerate(parts) if i == 0 or _CONSTRAINT.search(part))


def first_sentence(text: str) -> str:
    """Give the first sentence of a description."""
    return _SENTENCE.split(text, maxsplit=1)[0]
