"""Rare values and largest quantities among equally built lines."""

import pytest

from caveman_engine.compressors.lines.levels import PLAIN
from caveman_engine.compressors.lines.standouts import digest


def test_values_that_are_all_different_make_no_line_stand_out():
    found = digest([f"INFO user=u{n * 7919 % 1000}x logged on" for n in range(300)])
    assert not [i for i, score in found.scores.items() if 0 < i < 290 and score >= 3.5]


@pytest.mark.parametrize("rare", [1, 3])
def test_the_first_line_with_a_rare_value_stands_out(rare):
    lines = [f"GET /p/{n} status 200 done" for n in range(400)]
    for n in range(rare):
        lines[150 + n] = lines[150 + n].replace("200", "503")
    found = digest(lines)
    assert found.scores[150] >= 3.5
    assert found.scores.get(151, 0.0) < 3.5


@pytest.mark.parametrize(
    ("line", "large"),
    [
        ("fetched part {n} in {v}ms today", "9s"),
        ("part {n} has ({v} kB) now", "(7.5 MB)"),
        ("part {n} used {v}MiB of it", "2GiB"),
    ],
)
def test_the_largest_quantity_stands_out_whatever_its_unit(line, large):
    lines = [line.format(n=n, v=n % 90 + 1) for n in range(300)]
    lines[123] = (
        line.split("{v}")[0].format(n=123).rstrip("(")
        + large
        + (" now" if "(" in large else " of it" if "GiB" in large else " today")
    )
    if "GiB" not in large and "(" not in large:
        lines[123] = "fetched part 123 in 9s today"
    assert digest(lines).scores[123] >= PLAIN + 1


def test_few_words_of_a_place_are_kept_with_the_word_before():
    found = digest([f"job {n} ended {('well', 'badly')[n % 2]} on time" for n in range(100)])
    columns = {column.before: column.values for columns in found.columns.values() for column in columns}
    assert columns["ended"][:3] in (["well", "badly", "well"], ["well"] * 3, ["badly"] * 3)
