"""The forms of search output and how a line is taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors import _hits

FORMS = {
    "numbered": [f"src/a{n // 5}.py:{n}:text {n}" for n in range(40)],
    "bare": [f"src/a{n // 5}.py:text {n}" for n in range(40)],
    "paths": [f"src/d{n % 4}/f{n}.txt" for n in range(40)],
    "heading": [
        line for n in range(8) for line in (f"src/a{n}.py", *(f"{m}:text" for m in range(n, n + 5)), "")
    ],
    "alone": [f"{n}:text {n}" for n in range(1, 80, 2)],
    "json": ['{"type":"begin","data":{}}', *['{"type":"match","data":{}}'] * 9],
}


@pytest.mark.parametrize("name", FORMS)
def test_each_form_is_told(name):
    form, share = _hits.form(FORMS[name])
    assert form == name
    assert share > 0.7


@pytest.mark.parametrize("name", ["numbered", "bare", "paths", "alone"])
def test_the_parts_of_a_hit_are_the_line(name):
    hits = _hits.parse(FORMS[name], name)
    assert [hit.path + hit.glue + hit.rest for hit in hits] == FORMS[name]


def test_a_hit_under_a_heading_has_its_path():
    hits = _hits.parse(FORMS["heading"], "heading")
    assert (hits[0].path, hits[0].rest) == ("src/a0.py", "0:text")
    assert hits[-1].path == "src/a7.py"


def test_context_belongs_to_the_file_it_begins_with_even_with_dashes_in_the_name():
    hits = _hits.parse(
        ["a-1-b.py-6-before", "a-1-b.py:7:found", "a-1-b.py-8-after", "unknown-3-x"], "numbered"
    )
    assert [(hit.path, hit.context) for hit in hits] == [
        ("a-1-b.py", True),
        ("a-1-b.py", False),
        ("a-1-b.py", True),
    ]


def test_records_that_are_not_ripgreps_are_refused():
    assert _hits.from_json(['{"type":"match","data":{"path":7}}']) is None
    assert _hits.from_json(["nonsense"]) is None
    assert _hits.from_json(['{"type":"summary"}', ""]) == []


@given(st.lists(st.text(max_size=30), max_size=20), st.sampled_from([*FORMS][:5]))
def test_any_lines_are_taken_apart_without_loss_or_left(lines, name):
    lines = [line.replace("\n", "") for line in lines]
    _hits.form(lines)
    for hit in _hits.parse(lines, name):
        assert lines[hit.index] == (hit.path + hit.glue + hit.rest if name != "heading" else hit.rest)
