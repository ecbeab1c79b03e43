"""What a reader would miss: levels of lines, rarity, context, ends."""

from caveman_engine.compressors.lines import standouts
from caveman_engine.compressors.lines.levels import ERROR, EXAMPLE, EXIT, FAILED_ID, PLAIN, TOTAL

STEPS = [f"INFO step {n} done so far" for n in range(200)]


def test_steps_of_one_form_are_worth_one_example():
    found = standouts.digest(STEPS)
    middle = {i: score for i, score in found.scores.items() if 3 <= i < 185}
    assert all(score < EXAMPLE for score in middle.values())
    assert found.scores[0] >= EXAMPLE


def test_a_line_unlike_all_others_is_worth_more_than_an_example():
    lines = list(STEPS)
    lines[100] = "listening for peers on the second socket"
    assert standouts.digest(lines).scores[100] > PLAIN + 2


def test_being_alone_says_nothing_where_all_are():
    words = [f"{a}{b} {b}{a}" for a in "bcdfghjklm" for b in ("aba", "obo", "ibi", "ubu", "ebe")]
    lines = [f"{word} {word[::-1]}" for word in words]
    found = standouts.digest(lines)
    assert max(score for i, score in found.scores.items() if 3 <= i < 38) <= PLAIN + 1


def test_errors_outcomes_and_exits_rank_above_rarity():
    lines = list(STEPS)
    lines[50], lines[90], lines[120] = "error: no route", "3 failed, 7 passed", "exit status 2"
    found = standouts.digest(lines)
    assert found.scores[50] >= ERROR
    assert found.scores[90] >= TOTAL
    assert found.scores[120] >= EXIT
    assert 50 in found.failures


def test_a_total_of_every_step_sums_up_nothing_but_the_last_may():
    lines = [f"suite {n % 3} ended, {n} passed so far" for n in range(30)]
    found = standouts.digest([*STEPS, *lines, *STEPS])
    assert sum(found.scores.get(i, 0.0) >= TOTAL for i in range(200, 230)) == 1


def test_an_error_that_says_where_is_worth_more():
    place, none = (
        standouts.digest([*STEPS, "a.c:7: error: x", *STEPS]),
        standouts.digest([*STEPS, "error: x", *STEPS]),
    )
    assert place.scores[200] > none.scores[200]


def test_lines_after_an_error_share_its_score_until_the_paragraph_ends():
    lines = [*STEPS, "error: no route", "  to host a", "  by way of b", "", "other", *STEPS]
    found = standouts.digest(lines)
    scores = standouts.with_context(found, found.scores)
    assert scores[200] > scores[201] > scores[202] > 2
    assert scores.get(204, 0.0) == found.scores.get(204, 0.0)


def test_what_a_tool_knows_comes_before_the_general_signals():
    lines = [*STEPS, "error: none of your business", *STEPS]
    found = standouts.digest(
        lines, lambda line: FAILED_ID if line.startswith("INFO step 7 ") else 0.5 if "error" in line else None
    )
    assert found.scores[200] < 1
