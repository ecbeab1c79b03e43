import json
import pathlib
import random
import tracemalloc

import pytest

from caveman_engine import payload
from caveman_engine.compressors import toon
from caveman_engine.errors import InvalidDocument, NoRoundTrip
from caveman_engine.jsontext import Number
from caveman_engine.tokens import count
from caveman_engine.views import Request

FIXTURES = pathlib.Path(__file__).parents[4] / "shared" / "toon-spec" / "fixtures"


def texts(document):
    """Parse with numbers as they are spelled and keys in order."""
    return json.loads(document, parse_int=Number, parse_float=Number, object_pairs_hook=list)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param('{"a":1,"a":2}', id="a key twice"),
        pytest.param("[1.10]", id="tnj-05 a trailing zero"),
        pytest.param("[-0]", id="tnj-05 minus zero"),
        pytest.param("[1e3]", id="tnj-05 an exponent"),
        pytest.param("[1E+2]", id="tnj-05 an exponent with a sign"),
        pytest.param("[1e400]", id="a number beyond floats"),
        pytest.param("[0.12345678901234567890123]", id="more digits than floats have"),
        pytest.param('["\\ud800"]', id="a lone surrogate"),
        pytest.param("[" * 3000 + "]" * 3000, id="nesting of 3,000"),
    ],
)
def test_a_document_that_would_not_come_back_the_same_is_refused(document):
    with pytest.raises(NoRoundTrip):
        toon.encode(document)


@pytest.mark.parametrize("document", ["", "{", "[1,]", "nope", "1 2"])
def test_a_text_that_is_no_json_is_an_error_with_its_line(document):
    with pytest.raises(InvalidDocument) as raised:
        toon.encode(document)
    assert raised.value.where == "line 1"


@pytest.mark.parametrize(
    "document",
    [
        pytest.param('["[2]: x"]', id="tnj-01 a string like a header in a list"),
        pytest.param('{"k":"[2]: x"}', id="tnj-01 a string like a header in an object"),
        pytest.param(
            '{"o":{"list":[{"id":1,"v":"a"},{"id":2,"v":"b"}],"n":1}}', id="tnj-02 a table inside an object"
        ),
        pytest.param(
            '[".517","+340","1e5","42","true","null","-0","0x10"]', id="tnj-03 strings like numbers"
        ),
        pytest.param('["\ufeffabc"]', id="tnj-04 a byte order mark at the start of a string"),
        pytest.param('"\ufeff"', id="tnj-04 a byte order mark alone"),
        pytest.param("[12345678901234567890,0.1]", id="tnj-05 numbers that keep their texts"),
        pytest.param('{"a":"","b":null,"c":[],"d":{},"e":" "}', id="tnj-06 five ways to be empty"),
        pytest.param(
            json.dumps([{"a": "", "b": None, "c": [], "d": {}, "e": " "}] * 20), id="tnj-06 in records"
        ),
        pytest.param(
            '{"a b":1,"x:y":2,"":3,"ü":4,"1":5,"a.b":6,"a\\"b":7}', id="tnj-08 keys that are no names"
        ),
        pytest.param('{"z":1,"a":{"y":2,"b":3},"m":[{"q":1,"c":2},{"q":3,"c":4}]}', id="tnj-09 key order"),
    ],
)
def test_a_document_comes_back_with_values_order_and_number_texts(document):
    assert texts(toon.decode(toon.encode(document))) == texts(document)


def test_one_odd_record_does_not_cost_more_than_minified_json():
    """tnj-07: the views offer the minified form beside the encoded one."""
    records = [{f"k{k}": n * k for k in range(6)} for n in range(500)]
    records[249]["note"] = "odd"
    document = json.dumps(records)
    found = list(toon.COMPRESSOR.views(payload.from_text(document), Request(None, 10_000)))
    smallest = min(found, key=lambda view: count(view.text))
    assert count(smallest.text) <= count(json.dumps(records, separators=(",", ":"))) + 1
    back = smallest.text if smallest.method == "minify" else toon.decode(smallest.text)
    assert json.loads(back) == records


@pytest.mark.parametrize(
    ("document", "line"),
    [
        pytest.param("x[3]: 1,2", "line 1", id="tnj-10 too few values"),
        pytest.param("x[2]{a,b}:\n  1,2", "line 1", id="tnj-10 too few rows"),
        pytest.param("a:\n   b: 1", "line 2", id="tnj-10 odd indentation"),
        pytest.param("a: 1\na: 2", "line 2", id="tnj-10 a key twice"),
        pytest.param("x[99999999999]: 1", "line 1", id="tnj-10 a length that is a lie"),
    ],
)
def test_a_bad_document_is_an_error_with_its_line(document, line):
    tracemalloc.start()
    with pytest.raises(InvalidDocument) as raised:
        toon.decode(document)
    assert raised.value.where == line
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_digits_that_readers_would_lose_are_refused_when_decoding():
    with pytest.raises(NoRoundTrip):
        toon.decode("x: 12345678901234567890.5")
    assert toon.decode("x: 1.50") == '{"x": 1.5}'


def some_value(rnd, depth=0):
    kind = rnd.randrange(9 if depth < 6 else 6)
    if kind < 2:
        return "".join(some_character(rnd) for _ in range(rnd.randrange(8)))
    if kind == 2:
        return Number(
            rnd.choice(["0", "-1", "17", "1.5", "-0.25", "1e3", "1.10", "-0", "12345678901234567890"])
        )
    if kind < 6:
        return rnd.choice([True, False, None])
    if kind == 6:
        return {some_value_text(rnd): some_value(rnd, depth + 1) for _ in range(rnd.randrange(5))}
    return [some_value(rnd, depth + 1) for _ in range(rnd.randrange(5))]


def some_value_text(rnd):
    return "".join(some_character(rnd) for _ in range(rnd.randrange(6)))


def some_character(rnd):
    if rnd.random() < 0.6:
        return rnd.choice('ab1 .:,|[]{}"\\-#\t\n_')
    code = rnd.randrange(0x110000 - 0x800)
    return chr(code if code < 0xD800 else code + 0x800)


def spelled(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{spelled(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    return json.dumps(value)


def test_any_value_comes_back_or_is_refused():
    """tnj-11."""
    rnd = random.Random(20)
    carried = 0
    for _ in range(2000):
        document = spelled(some_value(rnd))
        try:
            encoded = toon.encode(document)
        except NoRoundTrip:
            continue
        carried += 1
        assert texts(toon.decode(encoded)) == texts(document)
    assert carried > 1200


def cases(folder):
    if not FIXTURES.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no TOON fixtures at {FIXTURES}"))]
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in sorted((FIXTURES / folder).glob("*.json"))
        for case in json.loads(path.read_text("utf-8"))["tests"]
        if not set(case.get("options", {})) - {"strict"}
    ]


@pytest.mark.parametrize("case", cases("encode"))
def test_the_specification_is_followed_when_encoding(case):
    document = json.dumps(case["input"])
    try:
        encoded = toon.encode(document)
    except NoRoundTrip:
        assert texts(toon.decode(case["expected"])) != texts(document)  # another key order or number text
        return
    assert encoded == case["expected"]


@pytest.mark.parametrize("case", cases("decode"))
def test_the_specification_is_followed_when_decoding(case):
    if case.get("options", {}).get("strict") is False:
        pytest.skip("only strict documents are read")
    if case.get("shouldError"):
        with pytest.raises(InvalidDocument):
            toon.decode(case["input"])
    else:
        assert json.loads(toon.decode(case["input"])) == case["expected"]
