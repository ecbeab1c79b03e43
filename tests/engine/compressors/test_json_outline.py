import json

import pytest

from caveman_engine import jsontext
from caveman_engine.compressors._json_outline import Outline, leaves


def outline(value, room, query=None):
    document = jsontext.parse(json.dumps(value))
    made = Outline(document.values[0], document.spelling, query)
    if query:
        made.rank()
    return document.spelling.restore(made.show(made.root, room)), made


@pytest.mark.parametrize("value", [1, "x", None, [], {}, [1, "a"], {"a": {"b": [True]}}])
def test_what_fits_is_minified_json_and_all_counted(value):
    text, made = outline(value, 1000)
    assert text == json.dumps(value, separators=(",", ":"))
    assert made.shown == leaves(made.root)


def test_members_share_the_room_and_those_left_out_are_named():
    text, made = outline({f"key{n}": "value" * 4 for n in range(50)}, 400)
    assert text.startswith('{"key0":"valuevaluevaluevalue"')
    assert "more: " in text
    assert made.shown == text.count('":"')
    assert len(text) < 600


def test_a_list_keeps_its_last_item_and_counts_the_gap():
    text, made = outline([f"item {n} of the list" for n in range(100)], 300)
    assert text.endswith('"item 99 of the list"]')
    assert f"… {100 - made.shown} more" in text


def test_lists_of_one_length_are_rows():
    text, _ = outline([[n, f"name {n}", n * n] for n in range(300)], 700)
    assert text.startswith('[300 records: "0","1","2"\n#0 0,"name 0",0\n')
    assert '#299 299,"name 299",89401\n' in text


def test_a_large_cell_says_at_least_its_names():
    rows = [
        {"id": f"r{n}", "steps": [{"name": f"step {k}", "log": f"{n} " * 30} for k in range(6)]}
        for n in range(30)
    ]
    text, _ = outline(rows, 6000)
    assert '"r0",[… 6: step 0, step 1' in text


def test_addresses_that_only_continue_an_earlier_one_go_first():
    user = {"login": "ada", "url": "https://api.example.org/users/ada", "type": "User"}
    user |= {f"{k}_url": f"https://api.example.org/users/ada/{k}" for k in "abcdefghij"}
    text, _ = outline({"user": user, "note": "n" * 40}, 300)
    assert '"login":"ada","url":"https://api.example.org/users/ada","type":"User"' in text.replace("\n", "")
    assert "10 more: a_url, b_url" in text


def test_a_part_that_answers_the_query_is_served_first():
    tree = {f"section {n}": {"title": f"t{n}", "body": "word " * 30} for n in range(4)} | {
        "x": {"deep": {"needle": 7}}
    }
    text, _ = outline(tree, 200, "needle")
    assert '{"needle":7}' in text


def test_many_values_too_short_to_cut_are_left_out_instead():
    policies = {f"policy-{n}": f"arn:cloud:iam::policy/service-role/policy-{n}" for n in range(900)}
    text, made = outline(policies, 8000)
    assert len(text) < 9700
    assert 100 < made.shown < 400
