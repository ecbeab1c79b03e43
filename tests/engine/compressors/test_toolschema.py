import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import toolschema as subject
from caveman_engine.tokens import count
from caveman_engine.views import Request


def views(text, query=None, budget=20_000):
    found = list(subject.COMPRESSOR.views(payload.from_text(text), Request(query, budget)))
    assert all(map(choice.is_honest, found))
    return found


def tool(n, **more):
    return {
        "name": f"tool_{n}",
        "title": f"Tool {n}",
        "description": f"Fetches thing {n}. It was first made for the old portal and later moved. " * 4
        + "Must be an ISO 8601 date.",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "title": {"type": "string", "title": "Title", "description": "The title to look for."},
                "mode": {"enum": ["fast", "slow"], "default": "fast"},
                "owner": {"$ref": "#/$defs/Owner"},
                "selector": {
                    "type": "string",
                    "description": "Selector of the exact element on the page, taken from a snapshot.",
                },
            },
            "required": ["title", "mode"],
            "additionalProperties": False,
            "$defs": {"Owner": {"type": "object", "properties": {"id": {"type": "integer", "minimum": 1}}}},
        },
        **more,
    }


def catalogue(count):
    return json.dumps(
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool(n) for n in range(count)]}}, indent=1
    )


def below(value, key):
    """Give the values of a key at any depth."""
    if isinstance(value, dict):
        return [item for name, item in value.items() if name == key] + [
            x for item in value.values() for x in below(item, key)
        ]
    return [x for item in value for x in below(item, key)] if isinstance(value, list) else []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"tools":7}', id="tnj-30 tools that are a number"),
        pytest.param("[1,2]", id="tnj-30 a list of numbers"),
        pytest.param(catalogue(3)[:900], id="tnj-30 half a document"),
        pytest.param(" " * 4_000_000, id="tnj-30 white space"),
        pytest.param('{"name":"x","inputSchema":{"a":1,"a":2}}', id="a key twice"),
        pytest.param("prose", id="prose"),
        pytest.param('{"a":' * 900 + "1" + "}" * 900, id="deep nesting"),
    ],
)
def test_what_is_no_catalogue_has_no_view(text):
    assert views(text) == []


def test_names_constraints_and_references_stay():
    """tnj-28."""
    (view,) = views(catalogue(30))
    before, after = json.loads(catalogue(30)), json.loads(view.text)
    for key in ("name", "required", "enum", "default", "$ref", "minimum", "$defs", "type"):
        assert len(below(after, key)) == len(below(before, key))
    first = after["result"]["tools"][0]
    assert first["description"] == "Fetches thing 0. Must be an ISO 8601 date."
    assert first["inputSchema"]["properties"]["title"] == {
        "type": "string",
        "description": "The title to look for.",
    }
    for reference in below(first, "$ref"):
        assert reference.removeprefix("#/$defs/") in first["inputSchema"]["$defs"]
    assert count(view.text) < 0.7 * count(catalogue(30))


def test_a_repeated_parameter_refers_to_the_first():
    tools = json.loads(views(catalogue(2))[0].text)["result"]["tools"]
    said = [tool["inputSchema"]["properties"]["selector"]["description"] for tool in tools]
    assert said == ["Selector of the exact element on the page, taken from a snapshot.", "as in tool_0"]


def test_one_more_tool_changes_no_byte_of_those_before():
    """tnj-29."""
    shorter, longer = views(catalogue(30))[0].text, views(catalogue(31))[0].text
    at = shorter.index("]}}")
    assert longer.startswith(shorter[:at])
    assert [name.removeprefix("tool_") for name in below(json.loads(longer), "name")] == [
        str(n) for n in range(31)
    ]


def test_a_second_pass_changes_nothing():
    """tnj-29."""
    once = views(catalogue(30))[0].text
    assert views(once)[0].text == once


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(
            [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "title": "F"}}}],
            id="OpenAI",
        ),
        pytest.param([{"name": "f", "input_schema": {"type": "object", "title": "F"}}], id="Anthropic"),
        pytest.param(
            {"tools": [{"functionDeclarations": [{"name": "f", "parameters": {"title": "F"}}]}]}, id="Gemini"
        ),
    ],
)
def test_catalogues_of_other_hosts_are_known(value):
    (view,) = views(json.dumps(value))
    assert '"f"' in view.text
    assert "title" not in view.text


def test_values_that_look_like_annotations_stay():
    schema = {
        "type": "object",
        "properties": {"x": {"const": {"title": "kept"}, "default": {"description": "One. Two three."}}},
    }
    (view,) = views(json.dumps([{"name": "f", "inputSchema": schema}]))
    assert json.loads(view.text)[0]["inputSchema"] == schema


def test_a_query_shows_its_tools_whole_and_names_all():
    tools = [tool(n) for n in range(40)]
    tools[17]["description"] = "Exports the ledger as a spreadsheet."
    whole, some = views(json.dumps({"tools": tools}), "export the ledger", budget=3000)
    assert all(f'"tool_{n}"' in some.text for n in range(40))
    assert '"enum":["fast","slow"]' in some.text
    assert "Selector of the exact element" in some.text
    assert some.shown < some.total == 40
    assert count(some.text) < 0.4 * count(whole.text)


SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "inputSchema", "properties", "title", "description", "enum", "$ref"]),
            inner,
            max_size=4,
        )
    ),
)


@given(SCHEMAS)
def test_no_document_raises_and_all_results_are_json(value):
    for view in views(json.dumps(value)):
        json.loads(view.text)


OWNER = {
    "type": "object",
    "properties": {
        word: {"type": "string", "enum": [word, word.upper()]} for word in ("street", "town", "land")
    },
    "required": ["street"],
}
HOUSE = {"type": "object", "properties": {"owner": {"$ref": "#/$defs/Owner"}, "rooms": {"type": "integer"}}}


def with_definitions(name, properties, **definitions):
    return {
        "name": name,
        "inputSchema": {
            "$defs": definitions,
            "type": "object",
            "properties": properties,
            "required": list(properties),
        },
    }


def shown(*tools):
    return json.loads(views(json.dumps(list(tools)))[0].text)


def test_a_definition_repeated_in_many_tools_is_said_once():
    tools = [with_definitions(f"t{n}", {"x": {"$ref": "#/$defs/Owner"}}, Owner=OWNER) for n in range(5)]
    first, *others = shown(*tools)
    assert first["inputSchema"] == tools[0]["inputSchema"]
    for other in others:
        assert other["inputSchema"]["$defs"] == {"Owner": {"type": "object", "description": "as in t0"}}
        assert other["inputSchema"]["required"] == ["x"]


def test_a_definition_that_nothing_refers_to_stands_once():
    tools = [with_definitions(f"t{n}", {"n": {"type": "integer"}}, Owner=OWNER) for n in range(3)]
    first, *others = shown(*tools)
    assert first["inputSchema"]["$defs"] == {"Owner": OWNER}
    assert all("$defs" not in other["inputSchema"] for other in others)


def test_a_definition_is_as_before_only_if_what_it_refers_to_is():
    long = HOUSE | {"required": ["owner", "rooms"], "additionalProperties": True, "minProperties": 2}
    other = OWNER | {"required": ["town"]}
    tools = [
        with_definitions(f"t{n}", {"x": {"$ref": "#/$defs/House"}}, House=long, Owner=owner)
        for n, owner in enumerate([OWNER, other, other])
    ]
    _, second, third = shown(*tools)
    assert second["inputSchema"]["$defs"] == {"House": long, "Owner": other}
    assert third["inputSchema"]["$defs"]["House"]["description"] == "as in t1"
    assert third["inputSchema"]["$defs"]["Owner"]["description"] == "as in t1"


def test_a_long_parameter_that_stood_before_is_said_once_and_a_changed_one_again():
    changed = OWNER | {"required": ["land"]}
    tools = [with_definitions(f"t{n}", {"owner": owner}) for n, owner in enumerate([OWNER, OWNER, changed])]
    said = [tool["inputSchema"]["properties"]["owner"] for tool in shown(*tools)]
    assert said == [OWNER, {"type": "object", "description": "as in t0"}, changed]
    assert views(json.dumps(shown(*tools)))[0].text == views(json.dumps(tools))[0].text
