import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import toolschema_annotations as subject
from caveman_engine.views import Request

GONE = ("title", "examples", "$schema", "deprecated")


def views(text):
    found = list(subject.COMPRESSOR.views(payload.from_text(text), Request(None, 1000)))
    assert all(map(choice.is_honest, found))
    return found


def wrapped(schema):
    return f'[{{"name": "f", "title": "F", "inputSchema": {schema}}}]'


@pytest.mark.parametrize(
    "text", ['{"tools":7}', "[1,2]", "", wrapped('{"type": "object"}'), wrapped('{"enum": ["title"]}')]
)
def test_what_has_no_annotations_has_no_view(text):
    assert views(text) == []


@pytest.mark.parametrize(
    ("schema", "cut"),
    [
        pytest.param('{"title": "A", "type": "object"}', '{"type": "object"}', id="the first member"),
        pytest.param('{"type": "object", "title": "A"}', '{"type": "object"}', id="the last member"),
        pytest.param('{"a": 1, "title": "A", "b": 2}', '{"a": 1, "b": 2}', id="one in the middle"),
        pytest.param('{"title": "A"}', "{}", id="the only member"),
        pytest.param(
            '{"title": 1, "examples": [2], "$schema": "x", "deprecated": true}', "{}", id="all members"
        ),
        pytest.param(
            '{"title":1,"b":2,"examples":[{"title":3}],"deprecated":false}', '{"b":2}', id="both ends"
        ),
        pytest.param(
            '{\n  "title": "A",\n  "x": 1.50\n}', '{\n  "x": 1.50\n}', id="white space and number texts"
        ),
        pytest.param(
            '{"properties": {"title": {"title": "T", "type": "string"}}}',
            '{"properties": {"title": {"type": "string"}}}',
            id="a property of that name",
        ),
        pytest.param(
            '{"x": 1, "default": {"title": "kept"}, "title": ""}',
            '{"x": 1, "default": {"title": "kept"}}',
            id="data",
        ),
        pytest.param(
            '{"anyOf": [{"title": "A"}, {"title": "B", "type": "null"}]}',
            '{"anyOf": [{}, {"type": "null"}]}',
            id="alternatives",
        ),
    ],
)
def test_annotations_are_cut_and_every_other_byte_stays(schema, cut):
    (view,) = views(wrapped(schema))
    assert view.text == wrapped(cut)


SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*GONE, "properties", "type", "items", "enum", "a b"]), inner, max_size=5
        )
    ),
)


def stripped(value, place="schema"):
    if isinstance(value, list):
        return [stripped(item, "data" if place == "data" else "schema") for item in value]
    if not isinstance(value, dict) or place == "data":
        return value
    below = {"properties": "names", "enum": "data", "examples": "data"} if place == "schema" else {}
    return {
        key: stripped(item, below.get(key, "schema"))
        for key, item in value.items()
        if place != "schema" or key not in GONE
    }


@given(
    st.dictionaries(st.sampled_from([*GONE, "properties", "items"]), SCHEMAS, max_size=5),
    st.sampled_from([None, 1]),
)
def test_any_schema_loses_its_annotations_and_nothing_else(schema, indent):
    text = json.dumps([{"name": "f", "inputSchema": schema}], indent=indent)
    for view in views(text):
        assert json.loads(view.text) == [{"name": "f", "inputSchema": stripped(schema)}]
        assert view.total - view.shown > 0
