import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.units.records import records


def units(text):
    found = records(text)
    return (
        None
        if found is None
        else [(found.selector(i, i), found.text[found.starts[i] : found.ends[i]]) for i in range(len(found))]
    )


@pytest.mark.parametrize(
    "text", ["", "  ", "plain", "[1, 2", '{"a" 1}', "{'a': 1}", "[1 2]", '{"a": 1} trailing', "[INFO] x"]
)
def test_what_is_no_json_has_no_records(text):
    assert records(text) is None


def test_each_element_of_an_array_is_a_record_as_it_stands():
    assert units('[ {"a": 1.0},\n  [2], "x" ]') == [("/0", '{"a": 1.0}'), ("/1", "[2]"), ("/2", '"x"')]


def test_arrays_inside_objects_and_small_members_beside_them():
    text = json.dumps(
        {"n": 1, "meta": {"a": "b" * 50}, "items": [{"id": i, "s": "x" * 30} for i in range(9)]}
    )
    assert [pointer for pointer, _ in units(text)] == ["/n", "/meta", *(f"/items/{i}" for i in range(9))]
    assert units(text)[0][1] == '"n": 1'


def test_a_large_object_is_looked_into_and_a_large_record_is_not():
    large = {f"k{i}": "v" * 100 for i in range(100)}
    assert len(units(json.dumps({"a": {"b": large}}))) == 100
    assert len(units(json.dumps([large, large]))) == 2


def test_values_one_after_the_other_are_records():
    assert units('{"a": 1}\n{"a": 2}\n\n3') == [("/0", '{"a": 1}'), ("/1", '{"a": 2}'), ("/2", "3")]


def test_keys_are_escaped_in_pointers():
    assert units('{"a/b": {"m~n": [1]}}')[0][0] in ("/a~1b", "/a~1b/m~0n/0")


def test_the_outline_counts_what_is_in_each_array():
    found = records(json.dumps({"x": 1, "items": [{"id": i, "s": "y" * 30} for i in range(9)]}))
    assert found.outline() == ["/x", "/items/* (9)"]


def test_too_deep_nesting_is_left_to_lines():
    assert records("[" * 100_000 + "]" * 100_000) is None


def test_numbers_of_any_length_do_not_matter():
    assert units("[" + "9" * 10_000 + ", 1e999]")[1] == ("/1", "1e999")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=6),
    max_leaves=40,
)


@given(JSON, st.sampled_from([None, 1]))
def test_units_are_in_order_apart_and_pointed_at_by_their_pointers(value, indent):
    from caveman_engine.recovery.pointers import parse_selector
    from caveman_engine.recovery.selectors import select

    text = json.dumps(value, indent=indent)
    found = records(text)
    assert found is not None
    ends = 0
    for index in range(len(found)):
        start, end = found.starts[index], found.ends[index]
        assert ends <= start < end
        ends = end
        pointer = found.selector(index, index)
        if pointer.count("/") and "%" not in pointer:
            part = select(text.encode(), parse_selector(pointer), where="").decode()
            assert text[start:end].endswith(part)
