"""Facts about what was left out are true of every value, or not said."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import facts


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("level", ["INFO"] * 9, "all level=INFO"),
        ("status", ["200"] * 1911 + ["304"] * 84, "status: 200×1,911 304×84"),
        ("id", [str(n) for n in range(4, 204)], "id 4..203 all present"),
        ("ms", ["1.50", "40", "7", "9", "11", "12", "13", "0.10"], "ms 0.10..40"),
        ("host", [f"host-{n}" for n in range(50)], "host: 50 distinct"),
        ("note", ["", "x"], "note: (empty)×1 x×1"),
        ("text", ["a\nb"], ""),
    ],
    ids=[
        "constant",
        "kinds with counts",
        "dense run",
        "range in its own spelling",
        "many kinds",
        "empty",
        "line break",
    ],
)
def test_a_column_is_described_by_what_holds_for_all_of_it(name, values, text):
    assert facts.column(name, values) == text


@pytest.mark.parametrize(
    "name", ["password", "DB_PASSWORD", "api_key", "apiKey", "auth", "Cookie", "MY_DB_PASSPHRASE"]
)
def test_a_field_that_looks_like_a_credential_is_never_enumerated(name):
    assert facts.columns({name: ["hush-77", "hush-78"]}) == ""


def test_a_value_that_looks_like_a_key_silences_its_column():
    assert facts.columns({"value": ["x", "ghp_" + "a" * 36]}) == ""


def test_constants_are_gathered_first():
    table = {"a": ["1", "2"], "b": ["x", "x"], "c": ["y", "y"]}
    assert facts.columns(table) == "all b=x c=y; a: 1×1 2×1"


def test_what_does_not_fit_is_left_out_whole():
    table = {f"column{n}": [f"v{n}", f"w{n}"] for n in range(40)}
    text = facts.columns(table, longest=60)
    assert len(text) <= 60
    assert all(re.fullmatch(r"column\d+: v\d+×1 w\d+×1", part) for part in text.split("; "))


@given(st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=1))
def test_enumerated_counts_sum_to_the_number_of_values(values):
    text = facts.column("x", values)
    counts = [int(n) for n in re.findall(r"×(\d+)", text)]
    assert text.startswith("all ") or sum(counts) == len(values)


@given(st.lists(st.integers(-500, 500).map(str), min_size=7, unique=True))
def test_a_stated_range_holds_and_a_dense_run_is_complete(values):
    text = facts.column("n", values)
    if found := re.fullmatch(r"n (-?\d+)\.\.(-?\d+)( all present)?", text):
        low, high = int(found[1]), int(found[2])
        assert {low, high} <= {int(value) for value in values}
        assert all(low <= int(value) <= high for value in values)
        assert not found[3] or sorted(map(int, values)) == list(range(low, high + 1))
