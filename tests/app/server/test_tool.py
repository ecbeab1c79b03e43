import pytest

from caveman_app.server.tool import COUNT, TEXT, WORDS, Answer, Tool
from caveman_engine.errors import UsageError

TOOL = Tool(
    "t",
    "d",
    {"text": TEXT, "n?": COUNT, "tags?": WORDS, "verb?": {**TEXT, "enum": ["a", "b"]}},
    lambda **g: Answer(repr(g)),
)


def test_null_is_as_good_as_absent():
    assert TOOL.call({"text": "x", "n": None}).text == "{'text': 'x'}"


def test_a_whole_float_is_an_integer():
    assert TOOL.call({"text": "x", "n": 3.0}).text == "{'text': 'x', 'n': 3}"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"text": None},
        {"text": 7},
        {"text": "x", "n": "3"},
        {"text": "x", "n": True},
        {"text": "x", "n": -1},
        {"text": "x", "n": 1.5},
        {"text": "x", "n": 10**30},
        {"text": "x", "tags": "a"},
        {"text": "x", "tags": [1]},
        {"text": "x", "verb": "c"},
        {"text": "x", "more": 1},
    ],
)
def test_what_does_not_fit_is_refused_with_a_hint(given):
    with pytest.raises(UsageError) as caught:
        TOOL.call(given)
    assert caught.value.hint


def test_the_schema_says_what_is_required():
    assert TOOL.schema["required"] == ["text"]
    assert "required" not in Tool("t", "d", {}, lambda: Answer("")).schema
