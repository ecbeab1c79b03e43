"""Edits of a JSON file that keep everything else as it stands: comments, order, spacing, trailing commas.

Settings of agents are JSON with what people add by hand. An edit touches only its own characters. Knows no agent.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_DECODER = json.JSONDecoder()
_ATOM = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_COMMA = re.compile(r"\s*,")
_INDENT = re.compile(r"\n([ \t]+)\S")
Path = Sequence[str]


@dataclass(slots=True)
class _Node:
    """A value and where it stands. ``parts``: key and its start (an array: "" and the value's start), and the value."""

    value: Any
    start: int
    end: int
    parts: list[tuple[str, int, "_Node"]] = field(default_factory=list)

    def part(self, key: str) -> "_Node | None":
        found = [node for name, _, node in self.parts if name == key] if isinstance(self.value, dict) else []
        return found[-1] if found else None


def loads(text: str) -> Any:
    """Read JSON with comments and trailing commas; an empty text is an empty object.

    Raises:
        ValueError: it is neither.
    """
    return _parse(text).value


def put(text: str, path: Path, value: Any) -> str:
    """Set the member at ``path``, making the objects on the way.

    Raises:
        ValueError: not JSON, or something on the way is no object.
    """
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    node, depth = _parse(text), 0
    while depth < len(path) and (found := node.part(path[depth])) is not None:
        node, depth = found, depth + 1
    if depth == len(path):
        return text[: node.start] + _dumped(text, value, _indent_at(text, node.start)) + text[node.end :]
    if not isinstance(node.value, dict):
        raise ValueError(f"{'.'.join(path[:depth]) or 'the file'} is no object")  # noqa: TRY004 - the file's fault
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    return _insert(text, node, json.dumps(path[depth], ensure_ascii=False) + ": ", value)


def add(text: str, path: Path, value: Any) -> str:
    """Append ``value`` to the array at ``path`` unless it is in it, making what is missing. Errors as `put`."""
    node = _at(text, path)
    if node is None:
        return put(text, path, [value])
    if not isinstance(node.value, list):
        raise ValueError(f"{'.'.join(path)} is no array")  # noqa: TRY004 - the file's fault
    return text if value in node.value else _insert(text, node, "", value)


def drop(text: str, path: Path) -> str:
    """Take the member at ``path`` out; what is not there is no error."""
    holder = _at(text, path[:-1])
    if holder is None or not isinstance(holder.value, dict):
        return text
    index = next((i for i, part in enumerate(holder.parts) if part[0] == path[-1]), None)
    return text if index is None else _cut(text, holder, index)


def discard(text: str, path: Path, value: Any) -> str:
    """Take ``value`` out of the array at ``path``; what is not there is no error."""
    node = _at(text, path)
    if node is None or not isinstance(node.value, list) or value not in node.value:
        return text
    return _cut(text, node, node.value.index(value))


def get(text: str, path: Path) -> Any:
    """Give the value at ``path``, None when there is none."""
    node = _at(text, path)
    return node.value if node else None


def _at(text: str, path: Path) -> _Node | None:
    node: _Node | None = _parse(text)
    for key in path:
        node = node.part(key) if node else None
    return node


def _insert(text: str, holder: _Node, key: str, value: Any) -> str:
    """Put one more part at the end of an object or array, in the style of its neighbours."""
    base = _indent_at(text, holder.start)
    inline = holder.parts and "\n" not in text[holder.start : holder.end]
    if inline:
        at = holder.parts[-1][2].end
        return text[:at] + ", " + key + json.dumps(value, ensure_ascii=False) + text[at:]
    if holder.parts:
        at, indent = holder.parts[-1][2].end, _indent_at(text, holder.parts[-1][1])
        return text[:at] + ",\n" + indent + key + _dumped(text, value, indent) + text[at:]
    at, indent = holder.start + 1, base + _unit(text)
    rest = text[at:] if "\n" in text[at : holder.end] else "\n" + base + text[at:].lstrip(" \t")
    return text[:at] + "\n" + indent + key + _dumped(text, value, indent) + rest


def _cut(text: str, holder: _Node, index: int) -> str:
    """Take one part out, with the comma and the line break that came with it."""
    _, start, node = holder.parts[index]
    comma = _COMMA.match(text, node.end)
    if index == 0:
        if len(holder.parts) > 1:
            return text[:start] + text[holder.parts[1][1] :]
        end = comma.end() if comma else node.end
        inside = text[holder.start + 1 : start] + text[end : holder.end - 1]
        return text[: holder.start + 1] + (inside if inside.strip() else "") + text[holder.end - 1 :]
    before = holder.parts[index - 1][2].end
    between = text[before:start]
    if not between.replace(",", "", 1).strip():
        return text[:before] + text[node.end :]
    if comma:
        return text[:start] + text[comma.end() :]
    # The last part, below a comment: the comma before it goes, the comment stays.
    last = _blank(text, before)
    return text[:last] + text[last + 1 : start].rstrip(" \t") + text[node.end :].lstrip("\n")


def _dumped(text: str, value: Any, indent: str) -> str:
    return json.dumps(value, indent=_unit(text), ensure_ascii=False).replace("\n", "\n" + indent)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _parse(text: str) -> _Node:
    start = _blank(text, 1 if text.startswith("\ufeff") else 0)
    if start == len(text):
        return _Node({}, start, start)
    node = _value(text, start)
    if _blank(text, node.end) != len(text):
        raise ValueError(f"more text after the value, at character {node.end}")
    return node


def _blank(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


def _value(text: str, start: int) -> _Node:
    char = text[start : start + 1]
    if char in ("{", "["):
        return _holder(text, start, "}" if char == "{" else "]")
    if char == '"':
        value, end = _DECODER.raw_decode(text, start)
        return _Node(value, start, end)
    found = _ATOM.match(text, start)
    if not found:
        raise ValueError(f"no JSON value at character {start}")
    return _Node(json.loads(found[0]), start, found.end())


def _holder(text: str, start: int, close: str) -> _Node:
    """Read an object or array; a comma may stand before its end."""
    parts: list[tuple[str, int, _Node]] = []
    position = _blank(text, start + 1)
    while text[position : position + 1] != close:
        begun, key = position, ""
        if close == "}":
            if text[position : position + 1] != '"':
                raise ValueError(f"no key at character {position}")
            key, position = _DECODER.raw_decode(text, position)
            position = _blank(text, position)
            if text[position : position + 1] != ":":
                raise ValueError(f"no colon at character {position}")
            position = _blank(text, position + 1)
        node = _value(text, position)
        parts.append((key, begun, node))
        position = _blank(text, node.end)
        if text[position : position + 1] == ",":
            position = _blank(text, position + 1)
        elif text[position : position + 1] != close:
            raise ValueError(f"no comma at character {position}")
    items = [node.value for _, _, node in parts]
    value = {key: node.value for key, _, node in parts} if close == "}" else items
    return _Node(value, start, position + 1, parts)
