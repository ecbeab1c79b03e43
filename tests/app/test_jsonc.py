import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_app import jsonc

SETTINGS = """{
  // mine
  "model": "big", /* keep */
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "true"}]},
    ],
  },
  "n": 1.0
}
"""
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=5), values, max_size=4)


def test_adding_what_is_there_changes_nothing():
    assert jsonc.add('{"a": ["x"]}', ("a",), "x") == '{"a": ["x"]}'


def test_dropping_what_is_not_there_changes_nothing():
    assert jsonc.drop(SETTINGS, ("a", "b")) == SETTINGS
    assert jsonc.discard(SETTINGS, ("model",), "x") == SETTINGS


@pytest.mark.parametrize(
    "text", ["", "\n", "{}", "{}\n", '{"a": 1}', SETTINGS, "\ufeff" + SETTINGS, '{\n\t"a": {}\n}\n']
)
def test_what_was_put_reads_back_and_the_rest_stays(text):
    made = jsonc.put(text, ("mcpServers", "caveman"), {"command": "x", "args": []})
    value = jsonc.loads(made)
    assert value.pop("mcpServers") == {"caveman": {"command": "x", "args": []}}
    assert value == jsonc.loads(text)


@pytest.mark.parametrize(
    "text",
    ["{}\n", '{"a": 1}\n', SETTINGS, '{\n  "a": 1,\n}', '{\n  "a": 1 // why\n}\n', '{\n\t"a": {}\n}\n'],
)
def test_putting_and_dropping_gives_the_same_bytes_agt_33(text):
    made = jsonc.put(text, ("zz",), {"command": "x", "args": ["y"]})
    assert jsonc.drop(made, ("zz",)) == text


def test_comments_and_other_entries_stay_when_an_array_grows_and_shrinks():
    entry = {"hooks": [{"type": "command", "command": "caveman"}]}
    made = jsonc.add(SETTINGS, ("hooks", "Stop"), entry)
    assert "// mine" in made
    assert "/* keep */" in made
    assert jsonc.loads(made)["hooks"]["Stop"][1] == entry
    assert jsonc.discard(made, ("hooks", "Stop"), entry) == SETTINGS


@pytest.mark.parametrize("text", ["{", "[1,]]", '{"a" 1}', "{a: 1}", "nope", '{"a": 1} x', '"\x01"x'])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError):
        jsonc.put(text, ("a",), 1)


def test_an_entry_under_something_that_is_no_object_is_refused():
    with pytest.raises(ValueError, match="mcpServers is no object"):
        jsonc.put('{"mcpServers": []}', ("mcpServers", "caveman"), {})


@given(objects, st.integers(0, 3), values)
def test_any_object_in_any_layout_takes_and_loses_an_entry(value, indent, entry):
    text = json.dumps(value, indent=indent or None)
    made = jsonc.put(text, ("#new", "x"), entry)
    assert jsonc.loads(made) == {**value, "#new": {"x": entry}}
    assert jsonc.loads(jsonc.drop(made, ("#new",))) == value


@given(st.lists(values, max_size=4), st.integers(0, 3), values)
def test_any_array_takes_and_loses_a_value(items, indent, entry):
    text = json.dumps({"a": items}, indent=indent or None)
    made = jsonc.add(text, ("a",), entry)
    assert entry in jsonc.loads(made)["a"]
    if entry not in items:
        assert jsonc.loads(jsonc.discard(made, ("a",), entry))["a"] == items
