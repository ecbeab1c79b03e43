import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import jsontext
from caveman_engine.compressors._json_records import spell
from caveman_engine.jsontext import Duplicate, Number

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a":1.10,"b":1E+2,"c":-0,"d":12345678901234567890}', id="number texts"),
        pytest.param(
            r'["\u00e9","\/","\n","\"","\\","\\\"","\\\\u0041","\ud83d\ude00","\ud800"]', id="escapes"
        ),
        pytest.param('["<p>&amp; a < b</p>"]', id="signs that need no escape"),
        pytest.param('["\ue000\ue001\ue002\\n"]', id="private-use characters beside an escape"),
        pytest.param('{"b":1,"a":{"z":[],"y":{}}}', id="key order"),
        pytest.param("[NaN,-Infinity]", id="numbers of other tools"),
    ],
)
def test_what_is_parsed_prints_as_the_source_spells_it(text):
    document = jsontext.parse(text)
    assert document.spelling.restore(spell(document.values[0])) == text


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
def test_any_value_prints_as_its_minified_source(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    tight = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":"))
    document = jsontext.parse(text)
    assert document.spelling.restore(spell(document.values[0])) == tight
    assert jsontext.minify(text) == tight


@pytest.mark.parametrize(
    "text", ["", " ", "{", '{"a" 1}', "[1,]", r'"\x"', r'"\u12"', '"a\nb"', "\\n", "[1] oops"]
)
def test_a_text_that_is_no_json_is_a_value_error(text):
    with pytest.raises(ValueError):
        jsontext.parse(text)


def test_a_key_twice_is_an_error_of_its_own():
    with pytest.raises(Duplicate):
        jsontext.parse('[{"a":1,"b":{"c":1,"c":1}}]')


def test_several_values_are_read_one_after_the_other():
    assert jsontext.parse('{"a":1}\n[2] "x"').values == [{"a": "1"}, ["2"], "x"]
    assert type(jsontext.parse("7").values[0]) is Number


@given(VALUES)
def test_places_of_parts_are_exact(value):
    text = json.dumps(value, indent=1, ensure_ascii=False)
    stack = [(jsontext.root(text), value)]
    while stack:
        node, part = stack.pop()
        assert json.loads(text[node.start : node.end]) == part
        parts = list(jsontext.children(text, node))
        if isinstance(part, dict):
            assert [child.key for child in parts] == list(part)
            stack.extend(zip(parts, part.values(), strict=True))
        elif isinstance(part, list):
            stack.extend(zip(parts, part, strict=True))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        pytest.param([], None, id="the root"),
        pytest.param(["rows", "3", "price"], "10.50", id="a number in its spelling"),
        pytest.param(["a/b"], "true", id="a key with a slash"),
        pytest.param(["twice"], "2", id="the last of a key that stands twice"),
        pytest.param(["rows", "03"], "", id="no index with a leading zero"),
        pytest.param(["rows", "9"], "", id="no item beyond the end"),
        pytest.param(["a/b", "c"], "", id="nothing below a scalar"),
    ],
)
def test_a_pointer_gives_source_bytes_or_nothing(path, source):
    text = '{"rows": [0, 1, 2, {"price": 10.50}], "a\\/b": true, "twice": 1, "twice": 2}'
    node = jsontext.find(text, path)
    assert (text[node.start : node.end] if node else "") == (text if source is None else source)


def test_nesting_of_a_hundred_thousand_is_read_without_recursion():
    text = "[" * 100_000 + "]" * 100_000
    node = jsontext.root(text)
    assert (node.start, node.end) == (0, 200_000)
    assert jsontext.find(text, ["0"] * 3).start == 3
    assert jsontext.minify(text.replace("[", "[ ")) == text
