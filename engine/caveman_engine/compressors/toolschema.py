"""[toolschema] Tool catalogues: the same JSON with first sentences and constraints; only when named.

Names, parameters, types, enums, defaults, ``required``, ``$ref`` and key order stay. With a query, tools that do
not answer it are left with their name and first sentence.
"""

from collections.abc import Iterator
from typing import Any

from caveman_engine import jsontext, markers
from caveman_engine.compressors import _catalogue
from caveman_engine.compressors._json_records import spell
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance
from caveman_engine.views import Compressor, Request, View


def detect(payload: Payload) -> float:
    """Tell a catalogue: JSON in which tools are."""
    document = _parsed(payload)
    return 0.9 if document and any(_catalogue.tools(document.values)) else 0.0


def _parsed(payload: Payload) -> jsontext.Document | None:
    if payload.text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return jsontext.parse(payload.text)
    except (ValueError, RecursionError):
        return None


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the shortened catalogue; with a query or a bound also the one with only some tools whole."""
    document = _parsed(payload)
    if document is None or len(document.values) > 1:
        return
    try:
        yield from _catalogues(document, request)
    except RecursionError:  # nested deeper than any schema
        return


def _catalogues(document: jsontext.Document, request: Request) -> Iterator[View]:
    # Sentences are cut at line breaks as the source spells them.
    value = _respelled(document.values[0], document.spelling.restore)
    found = list(_catalogue.tools(value))
    if not found:
        return
    short = _shortened(found)
    total = len(found)
    text = spell(_replaced(value, short)) + "\n"
    yield View(text, lossless=False, unit="tools", shown=total, total=total, method="shortened")
    if request.query or request.hard:
        whole = _whole(found, short, request)
        # What a tool refers to must stand in the view, so only the whole ones are shortened together.
        some = {id(tool): _brief(tool) for tool in found} | _shortened(whole)
        notice = markers.marker(
            f"{len(whole):,} of {total:,} tools whole, the others by name and first sentence"
        )
        text = notice + spell(_replaced(value, some)) + "\n"
        yield View(
            text, lossless=False, unit="tools", shown=len(whole), total=total, method="some", markers=1
        )


def _shortened(tools: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    shortener = _catalogue.Shortener()
    return {id(tool): shortener.tool(tool) for tool in tools}


def _whole(
    found: list[dict[str, Any]], short: dict[int, dict[str, Any]], request: Request
) -> list[dict[str, Any]]:
    """Choose the tools to show whole, in their order: those that answer the query, within the budget."""
    scores = relevance(request.query or "", [spell(tool) for tool in found])
    room = request.budget - sum(len(spell(_brief(tool))) for tool in found)
    whole: list[int] = []
    for at in sorted(range(len(found)), key=lambda at: (-scores[at], at)):
        cost = len(spell(short[id(found[at])]))
        if (request.query and not scores[at]) or (whole and cost > room):
            break
        whole.append(at)
        room -= cost
    return [found[at] for at in sorted(whole)]


def _brief(tool: dict[str, Any]) -> dict[str, Any]:
    brief: dict[str, Any] = {"name": tool["name"]}
    if type(tool.get("description")) is str:
        brief["description"] = _catalogue.first_sentence(tool["description"])
    return brief


def _replaced(value: Any, tools: dict[int, dict[str, Any]]) -> Any:
    """Give the value with each tool replaced."""
    if type(value) is dict:
        if id(value) in tools:
            return tools[id(value)]
        return {key: _replaced(item, tools) for key, item in value.items()}
    return [_replaced(item, tools) for item in value] if type(value) is list else value


def _respelled(value: Any, restore: Any) -> Any:
    if type(value) is str:
        return restore(value)
    if type(value) is dict:
        return {restore(key): _respelled(item, restore) for key, item in value.items()}
    return [_respelled(item, restore) for item in value] if type(value) is list else value


COMPRESSOR = Compressor("toolschema", detect, views, named_only=True)
