import hashlib
import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import json as subject
from caveman_engine.tokens import count
from caveman_engine.views import Request


def views(text, query=None, budget=None, *, hard=False):
    look = payload.from_text(text) if isinstance(text, str) else payload.parse(text)
    length = len(look.text)
    room = budget or choice.Budget.of(length, length // 3, query, None).request.budget
    found = list(subject.COMPRESSOR.views(look, Request(query, room, hard=hard)))
    assert all(map(choice.is_honest, found))
    return found


def outline(text, query=None, budget=None):
    (view,) = [view for view in views(text, query, budget) if not view.lossless]
    return view


def lossless(text):
    (view,) = [view for view in views(text) if view.lossless]
    return view


def record(n, **more):
    rnd = random.Random(n)
    cities = ("Oslo", "Bergen", "Tromsø", "Bodø")
    return {
        "id": n,
        "name": f"item-{rnd.randrange(10**6)}",
        "status": "ok",
        "total": round(rnd.uniform(5, 500), 2),
        "region": rnd.choice(cities),
        "date": f"2026-0{1 + n % 9}-1{n % 10}",
        **more,
    }


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("plain words\nand more", id="prose"),
        pytest.param("[INFO] started\n[INFO] stopped", id="log lines in brackets"),
        pytest.param("{ not json }", id="braces"),
        pytest.param(
            '{"a":1,"a":2,"b":[' + ",".join(json.dumps(record(n)) for n in range(200)) + "]}",
            id="tnj-19 a key twice",
        ),
        pytest.param('{"half": [1, 2', id="half a document"),
        pytest.param('[caveman: "x"]', id="a line like a marker"),
    ],
)
def test_what_is_no_json_or_not_safe_to_change_has_no_view(text):
    assert views(text) == []


def test_a_small_object_keeps_all_its_fields():
    """tnj-14: there is no outline where everything fits."""
    text = json.dumps(
        {
            "id": 7,
            "title": "t" * 60,
            "tags": ["a", "b"],
            "due": "2026-03-01",
            "owner": None,
            "note": "n" * 500,
        }
    )
    (view,) = views(text, budget=4000)
    assert view.lossless
    assert json.loads(view.text) == json.loads(text)


def test_pretty_printed_json_without_records_is_minified_with_its_spellings():
    text = '{\n  "q": "a < b && c > d",\n  "h": "<p>\\u00e9<\\/p>",\n  "n": [ 1.10, 1E+2, -0 ]\n}'
    assert lossless(text).text == '{"q":"a < b && c > d","h":"<p>\\u00e9<\\/p>","n":[1.10,1E+2,-0]}\n'


def test_records_become_columns_with_constants_in_the_header():
    text = json.dumps(
        [{"id": n, "o": {"login": f"u{n}"}, "s": "ok", **({"x": None} if n else {})} for n in range(3)]
    )
    assert lossless(text).text == '[3 records: id,o.login,s="ok",x\n0,"u0",\n1,"u1",null\n2,"u2",null\n]\n'


def test_a_map_of_records_becomes_columns_under_its_keys():
    text = json.dumps({f"host-{n}": {"up": True, "load": n} for n in range(5)})
    expected = "".join(f'"host-{n}",{n}\n' for n in range(5))
    assert lossless(text).text == "{5 members, key first: up=true,load\n" + expected + "}\n"


def test_the_record_of_another_kind_is_shown_whatever_its_place():
    """tnj-12."""
    rows = [record(n, owner="x", size=n % 7) for n in range(500)]
    rows[317] |= {"status": "refused", "reason": "no quota"}
    view = outline(json.dumps(rows), budget=5000)
    assert "#317 " in view.text
    assert '"refused"' in view.text
    assert "reason (1 of 500)" in view.text
    assert view.shown < view.total == 500


def test_a_list_of_names_that_is_cut_says_how_many_are_missing():
    """tnj-13."""
    names = [hashlib.sha256(bytes([n])).hexdigest()[:20] for n in range(57)]
    view = outline(json.dumps({"names": names}), budget=600)
    shown = sum(name in view.text for name in names)
    assert f"… {57 - shown} more" in view.text
    assert names[-1] in view.text
    assert view.shown == shown


@pytest.mark.parametrize("size", [180, 30_000])
def test_an_outline_is_plainly_not_json(size):
    """tnj-15."""
    view = outline(json.dumps({"rows": [record(n) for n in range(size)]}), budget=6_000)
    assert view.text.startswith("[caveman: outline of JSON")
    with pytest.raises(ValueError):
        json.loads(view.text)


def test_null_errors_and_time_limits_are_no_errors():
    """tnj-16."""
    rows = [record(n, error=None, timeout=30) for n in range(400)]
    rows[200]["error"] = "disk full"
    text = json.dumps(rows)
    view = outline(text, budget=9_000)
    assert '"disk full"' in view.text
    assert f'200,"{rows[200]["name"]}"' in view.text
    assert count(view.text) < 0.3 * count(text)


def test_a_member_that_differs_is_shown_with_its_key():
    """tnj-17."""
    hosts = {f"host-{n}": {"up": n != 150, "load": n / 1000} for n in range(300)}
    text = json.dumps(hosts)
    for view in views(text, budget=1500):
        assert re.search(r'"host-150",.*false|"host-150",false', view.text)
    assert count(views(text, budget=4000)[-1].text) < 0.5 * count(text)


def test_signs_stay_as_they_are():
    """tnj-18."""
    rows = [{"q": f"a < b && c > {n}", "h": "<p>x</p>"} for n in range(200)]
    for view in views(json.dumps(rows)):
        assert "a < b && c > 0" in view.text
        assert "<p>x</p>" in view.text


@pytest.mark.parametrize("opened", [["[", "]"], ['{"a":', "}"]])
def test_deep_nesting_ends_without_recursion(opened):
    """tnj-20."""
    deep = opened[0] * 10_000 + ("1" if opened[0] != "[" else "") + opened[1] * 10_000
    for view in views(deep):
        assert view.text == deep + "\n"
    (spaced,) = views(deep.replace(opened[0], opened[0] + "\n"))
    assert spaced.text == deep + "\n"


def test_large_numbers_and_prices_keep_their_digits():
    """tnj-21."""
    rows = ",".join(f'{{"id":{12345678901234567890 + n},"price":10.50,"n":{n}}}' for n in range(100))
    for view in views(f"[{rows}]"):
        assert "12345678901234567890" in view.text
        assert "10.50" in view.text


def test_lines_of_records_with_odd_ones_among_them():
    """tnj-22."""
    lines = [json.dumps({"k": n, "v": "ok"}) for n in range(1000)]
    lines[639] = '{"e": "lost"}'
    lines[899] = "oops"
    text = "\n".join(lines) + "\n"
    assert subject.COMPRESSOR.detect(payload.from_text(text)) >= 0.9
    columns, short = views(text, budget=800)
    assert (columns.unit, columns.total, columns.lossless) == ("lines", 1000, True)
    assert (short.unit, short.total) == ("lines", 1000)
    assert short.shown == len(re.findall("^#", short.text, re.MULTILINE))
    for view in (columns, short):
        assert '"lost"' in view.text
        assert "?oops" in view.text
    assert count(short.text) < 500


def test_pretty_printing_goes_without_loss():
    """tnj-23."""
    rnd = random.Random(1)
    rows = [{key: f"{rnd.randrange(10**9)}" for key in "abcdef"} for _ in range(300)]
    view = lossless(json.dumps(rows, indent=4))
    assert count(view.text) <= count(json.dumps(rows, separators=(",", ":")))
    assert all(value in view.text for row in rows for value in row.values())


def test_long_values_are_cut_with_length_and_hash():
    """tnj-24."""
    rnd = random.Random(2)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    rows = [
        record(n, blob="".join(rnd.choices(alphabet, k=4000)), vector=[rnd.random() for _ in range(1500)])
        for n in range(50)
    ]
    view = outline(json.dumps({"rows": rows}), budget=20_000)
    assert all(f'"{row["name"]}"' in view.text for row in rows)
    one = outline(json.dumps({"row": rows[0]}), budget=2000)
    digest = hashlib.sha256(rows[0]["blob"].encode()).hexdigest()[:8]
    assert f"(4,000 characters, sha256 {digest})" in one.text
    assert "1,49" in one.text  # what is left out of the vector is counted
    assert json.dumps(rows[0]["region"]) in one.text


def test_facts_about_records_left_out_are_true_of_them():
    """tnj-27."""
    rows = [
        {"region": "eu", "n": n, "state": "void" if n % 3 == 0 else "paid", "note": f"text {n} " * 9}
        for n in range(1, 301)
    ]
    view = outline(json.dumps(rows), budget=2500)
    shown = {int(number) for number in re.findall(r"^#(\d+) ", view.text, re.MULTILINE)}
    hidden = [row for i, row in enumerate(rows) if i not in shown]
    assert f"… {len(hidden)} more; " in view.text
    assert "all region=eu" in view.text
    states = {state: sum(row["state"] == state for row in hidden) for state in ("paid", "void")}
    assert f"state: paid×{states['paid']} void×{states['void']}" in view.text
    low, high = re.search(r"; n (\d+)\.\.(\d+)", view.text).groups()
    assert (int(low), int(high)) == (min(row["n"] for row in hidden), max(row["n"] for row in hidden))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("which item has the highest total", "top", id="an extreme"),
        pytest.param("total of item-needle", "item-needle", id="a value"),
        pytest.param("the last record", "#999 ", id="a place"),
        pytest.param("what status occurs once", "refunded", id="a rare kind"),
    ],
)
def test_a_query_finds_its_record_in_few_tokens(query, found):
    rows = [record(n) for n in range(1000)]
    rows[412]["name"] = "item-needle"
    rows[700] |= {"total": 9999.5, "name": "top"}
    rows[55]["status"] = "refunded"
    view = outline(json.dumps(rows), query)
    assert found in view.text
    assert count(view.text) < 2500


def test_a_query_that_one_record_answers_shows_little_else():
    text = json.dumps([record(n, name=f"order-{n}") for n in range(200)])
    view = outline(text, "order-137")
    assert '"order-137"' in view.text
    assert count(view.text) <= 90


def test_a_query_finds_a_leaf_in_a_tree():
    tree = {
        "services": {
            f"s{n}": {"env": {"PORT": 8000 + n}, "image": f"app:{n}", "doc": "text " * 50} for n in range(60)
        }
    }
    tree["services"]["s17"]["env"]["LEDGER_URL"] = "tcp://ledger:7"
    view = outline(json.dumps(tree, indent=2), "LEDGER_URL")
    assert "tcp://ledger:7" in view.text
    assert '"s17"' in view.text


def test_objects_that_stand_twice_are_shown_once():
    actor = {
        "login": "ada",
        "id": 7,
        **{f"{k}_url": f"https://api.example.org/users/ada/{k}" for k in "abcdefghij"},
    }
    text = json.dumps({"actor": actor, "sender": actor, "pad": ["x" * 60 for _ in range(60)]})
    view = outline(text, budget=1500)
    assert '"sender":{… same as /actor}' in view.text


def test_json_inside_a_string_is_outlined_too():
    inner = json.dumps({"rows": [record(n) for n in range(50)], "verdict": "broken"})
    view = outline(json.dumps({"body": inner, "status": 200}), budget=1200)
    assert '"verdict":"broken"' in view.text


def test_talk_around_json_stays():
    text = (
        "$ curl -s localhost/items\n"
        + json.dumps([record(n) for n in range(100)], indent=2)
        + "\nNotice: done\n"
    )
    assert subject.COMPRESSOR.detect(payload.from_text(text)) >= 0.6
    for view in views(text):
        assert "$ curl -s localhost/items\n" in view.text
        assert "\nNotice: done" in view.text


def test_long_texts_are_seen_by_their_first_tokens():
    many = json.dumps([record(n) for n in range(3000)])
    assert subject.COMPRESSOR.detect(payload.from_text(many)) == 0.9
    assert subject.COMPRESSOR.detect(payload.from_text("$ show\n" + many + "\nend\n")) == 0.7
    log = "".join(f"[{n}/9000] linking part {n}, [cached]\n" for n in range(9000))
    assert subject.COMPRESSOR.detect(payload.from_text(log)) == 0


def test_deep_nesting_with_a_broken_escape_has_no_view():
    assert views("[" * 5000 + '"\\x"' + "]" * 5000) == []


def test_a_bound_is_held():
    text = json.dumps([record(n) for n in range(3000)])
    for budget in (400, 1500, 6000):
        assert len(outline(text, budget=budget).text) <= 1.2 * budget


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.sampled_from(["id", "a.b", "", "x"]), inner, max_size=3)
    ),
    max_leaves=30,
)


@pytest.mark.slow
@given(st.text(max_size=60) | VALUES.map(json.dumps) | VALUES.map(lambda value: json.dumps(value, indent=1)))
def test_no_text_raises(text):
    views(text, budget=50)
    views(text, "id of x", budget=50)
