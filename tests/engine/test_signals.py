"""The vocabulary of failure, totals, exit status and success, on single lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import signals


@pytest.mark.parametrize(
    "line",
    [
        "0 errors, 0 warnings",
        "no errors found",
        "errors: 0",
        "errors=none, took=3s",
        "error: null",
        '{"error": null, "id": 7}',
        "gcc -Werror -c a.c",
        "wrote build/error.js",
        "3 passed, 0 failed",
        "strategy: fail-fast",
        "terror and mirror are words",
        "INFO step 7 ok",
        "",
    ],
)
def test_no_failure_is_heard_in_harmless_lines(line):
    assert signals.failure(line) == 0


@pytest.mark.parametrize(
    "line",
    [
        "error: linking failed",
        "error: no route to host",
        "Error: none of the mirrors answered",
        "assertion failed at widget.c:9",
        "Killed",
        "java.lang.IllegalStateException: top",
        "thread 'main' panicked at src/main.rs:3:5",
        "Segmentation fault (core dumped)",
        "  ✗ adds tax",
        "E   assert 1 == 2",
        "FAILED tests/t.py::test_7",
        "kernel: Out of memory: Kill process 12",
    ],
)
def test_errors_are_heard(line):
    assert signals.failure(line) == 3


@pytest.mark.parametrize(
    "line", ["warning: unused variable", "Permission denied", "connection refused", "No such file"]
)
def test_troubles_are_heard_less_loudly(line):
    assert signals.failure(line) == 2


def test_a_word_of_failure_deep_in_prose_is_not_heard_but_a_named_error_is():
    prose = "This long paragraph tells at length how the young company grew over many years and " * 3
    assert signals.failure(prose + "what errors they made") == 0
    assert signals.failure(prose + "ValueError") == 3


@pytest.mark.parametrize(
    "line",
    [
        "exit status 93",
        "exited with code 1",
        "Process finished with exit code 2",
        'COMMAND_EXIT_CODE="0"',
        "make: *** [all] Error 2",
    ],
)
def test_exit_statuses_are_told(line):
    assert signals.is_exit(line)


@pytest.mark.parametrize(
    "line",
    [
        "=== 3 failed, 97 passed in 0.52s ===",
        "Ran 200 tests in 0.01s",
        "test result: FAILED. 2 passed; 1 failed",
        "Tests:       1 failed, 41 passed, 42 total",
        "BUILD FAILURE",
        "15 upgraded, 115 newly installed, 0 to remove and 118 not upgraded.",
        "Successfully installed a-1.0",
        "Plan: 1 to add, 0 to change, 1 to destroy.",
        "Found 6675 errors.",
    ],
)
def test_totals_are_told(line):
    assert signals.is_total(line)


@pytest.mark.parametrize(
    "line",
    [
        "PASSED tests/t.py::test_7",
        "  ✓ adds tax (3 ms)",
        "test a::b ... ok",
        "ok 12 - adds",
        "--- PASS: TestA",
    ],
)
def test_steps_that_went_well_are_told(line):
    assert signals.is_pass(line)


@pytest.mark.parametrize(
    "line", ["FAILED tests/t.py::test_7", "not ok 12 - adds", "okay then", "--- FAIL: TestA"]
)
def test_other_lines_are_no_steps_that_went_well(line):
    assert not signals.is_pass(line)


@given(st.text(max_size=300))
def test_the_letters_never_hide_what_the_pattern_would_find(text):
    lower = text.lower()
    assert bool(signals._EXIT.search(lower[-600:])) == signals.is_exit(text) or len(text) > 600
    assert bool(signals._PASS.search(text)) == signals.is_pass(text)
    assert bool(signals._TOTAL.search(lower)) <= signals.is_total(text)


WORDS = [*signals._HARD_WORDS, *signals._SOFT_WORDS]


@pytest.mark.parametrize("word", WORDS)
def test_each_word_of_the_vocabulary_is_heard(word):
    assert signals.failure(f"it says {word} here") > 0
