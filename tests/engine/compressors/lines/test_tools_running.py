"""What CI systems, test runners and compilers say."""

import pytest

from caveman_engine.compressors.lines import tools_running
from caveman_engine.compressors.lines.levels import ERROR, EXIT, FAILED_ID, ROUTINE, TOTAL

TOOLS = {tool.name: tool for tool in tools_running.TOOLS}


def score(tool, line):
    return next((score for score, pattern in TOOLS[tool].patterns if pattern.match(line)), None)


@pytest.mark.parametrize("tool", TOOLS)
def test_prose_proves_no_tool(tool):
    assert not TOOLS[tool].proof.match("The quick brown fox jumps over the lazy dog.")


@pytest.mark.parametrize(
    ("tool", "line", "least"),
    [
        ("ci", "##[error]Process completed with exit code 1.", EXIT),
        ("pytest", "FAILED tests/t.py::test_7 - assert 7 == 0", FAILED_ID),
        ("pytest", "=== 3 failed, 97 passed in 0.52s ===", TOTAL),
        ("pytest", "E   ValueError: x", ERROR),
        ("unittest", "FAIL: test_7 (__main__.A.test_7)", FAILED_ID),
        ("javascript tests", "  ● cart › adds tax", FAILED_ID),
        ("javascript tests", "Tests:       1 failed, 41 passed, 42 total", TOTAL),
        ("go", "--- FAIL: TestLedger (0.02s)", FAILED_ID),
        ("rust", "error[E0432]: unresolved import `x`", ERROR),
        ("rust", "test result: FAILED. 2 passed; 1 failed", TOTAL),
        ("jvm", "a.B > c FAILED", FAILED_ID),
        ("jvm", "BUILD FAILED in 3s", TOTAL),
        ("ruby and php tests", "rspec ./spec/cart_spec.rb:12 # cart adds tax", FAILED_ID),
        ("ruby and php tests", "5 examples, 1 failure", TOTAL),
        ("ansible", "fatal: [web1]: FAILED! => {}", ERROR),
    ],
)
def test_what_went_wrong_and_how_it_ended_counts(tool, line, least):
    assert score(tool, line) >= least


@pytest.mark.parametrize(
    ("tool", "line"),
    [
        ("pytest", "tests/t.py::test_7 PASSED   [ 7%]"),
        ("javascript tests", "  ✓ adds tax (3 ms)"),
        ("go", "=== RUN   TestAlpha"),
        ("rust", "test a::b ... ok"),
        ("rust", "   Compiling a v1.0.0"),
        ("jvm", "[INFO] Downloading from central: https://repo"),
        ("ansible", "ok: [web1]"),
    ],
)
def test_steps_that_went_well_are_routine(tool, line):
    assert score(tool, line) == ROUTINE
