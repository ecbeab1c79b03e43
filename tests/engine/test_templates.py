"""Masking by token class and mining of line templates."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import templates

LINE = st.text(st.characters(blacklist_characters="\n"), max_size=40)


@pytest.mark.parametrize(
    "line", ["plain words stay", "face and cafe are no hexadecimal", "a-b_c", "", "déjà vu"]
)
def test_words_without_digits_are_not_masked(line):
    assert templates.mask(line) == line


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("took 12 ms", "took 98765 ms"),
        ("at 2026-03-01T10:00:00.123Z ok", "at 2027-11-30T23:59:59.9Z ok"),
        ("req=6f1c2d3e-0a1b-4c5d-8e9f-001122334455", "req=00000000-1111-4222-8333-aabbccddeeff"),
        ("commit 11e08722d605 made", "commit 9ab0d1f2c3e4 made"),
        ("addr 0x7F3A00 read", "addr 0x12BC9F read"),
        ("from 10.0.0.7 port 22", "from 192.168.100.1 port 50122"),
        ("src/a.c:12:5: warning: unused", "lib/very/deep/b.c:1:77: warning: unused"),
        ("id=0 of worker-12-eu", "id=7 of worker-3-eu"),
    ],
    ids=["number", "time", "uuid", "hash", "address", "ip", "place", "name with digits"],
)
def test_values_of_one_token_class_have_one_form(one, other):
    assert templates.mask(one) == templates.mask(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("state ok", "state failed"), ("12 passed", "12 failed"), ("path=/a", "path=/admin")],
)
def test_different_words_have_different_forms(one, other):
    assert templates.mask(one) != templates.mask(other)


@given(st.lists(LINE, max_size=30))
def test_groups_part_the_lines_and_keep_their_order(lines):
    groups = templates.group(lines)
    assert sorted(index for members in groups.values() for index in members) == list(range(len(lines)))
    for members in groups.values():
        assert members == sorted(members)
        assert len({templates.mask(lines[index]) for index in members}) == 1


@given(st.lists(LINE, max_size=30))
def test_templates_part_the_lines_too_and_hold_what_their_lines_share(lines):
    mined = templates.mine(templates.group(lines))
    assert sorted(index for template in mined for index in template.members) == list(range(len(lines)))
    for template in mined:
        for index in template.members:
            words = templates.words(templates.mask(lines[index]))
            assert len(words) == len(template.words)
            assert all(a is None or a == b for a, b in zip(template.words, words, strict=True))


def test_forms_of_different_kind_never_merge():
    lines = [
        f"job {name} of the nightly run ended {'well' if name != 'db' else 'badly'}"
        for name in ("web", "api", "db")
    ]
    assert len(templates.mine(templates.group(lines))) == 1
    apart = templates.mine(templates.group(lines), lambda form: "badly" in form)
    assert [template.members for template in apart] == [[0, 1], [2]]


@settings(max_examples=60)
@given(
    st.lists(
        st.lists(st.sampled_from(["a", "bb", "7", "x=1"]), min_size=3, max_size=3), min_size=1, max_size=20
    )
)
def test_columns_are_the_words_of_equally_long_lines(rows):
    table = templates.columns([" ".join(row) for row in rows])
    assert [list(row) for row in zip(*(table[position] for position in sorted(table)), strict=True)] == rows
    assert templates.columns([" ".join(row) for row in rows], [1]) == {1: table[1]}


def test_lines_of_different_length_have_no_columns_even_when_the_sum_fits():
    assert templates.columns(["a b", "c d", "e f g", "h"]) == {}
    assert templates.columns([]) == {}


def test_columns_agree_across_the_pieces_that_large_input_is_cut_into():
    lines = [f"step {n} of {n % 3}" for n in range(20_000)]
    assert templates.columns(lines)[3] == [str(n % 3) for n in range(20_000)]
    assert templates.columns([*lines, "one word more than that"]) == {}


def test_a_rare_value_is_one_among_few_usual_ones():
    usual, rare = templates.usual_and_rare(["200"] * 1990 + ["304"] * 200 + ["503"])
    assert rare == {"503": 1}
    assert usual == {"200": 1990, "304": 200}
    assert templates.usual_and_rare([str(n) for n in range(500)])[1] == {}


def test_a_burst_is_found_where_it_begins():
    quiet = list(range(0, 10_000, 100))
    loud = list(range(6_000, 6_200))
    assert templates.bursts(sorted({*quiet, *loud}), 10_000) == [6_000]
    assert templates.bursts(quiet, 10_000) == []
