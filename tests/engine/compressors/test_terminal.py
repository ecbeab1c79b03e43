"""[terminal]: failures, exit status and totals of real tools' transcripts; passes only counted."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine.choice import is_honest
from caveman_engine.compressors import terminal
from caveman_engine.payload import from_text, parse
from caveman_engine.views import Request


def failure_block(name, number):
    source = [f"    value = step({n})" for n in range(20)]
    return [
        f"____ {name} ____",
        "",
        f"    def {name}():",
        *source,
        f">       assert {number} == 0",
        f"E       assert {number} == 0",
    ]


def test_cmp_45_a_short_status_stays_as_it_is(compress):
    status = [
        "On branch main",
        "Changes not staged for commit:",
        *(f"\tmodified:   src/f{n}.py" for n in range(12)),
        "",
    ]
    assert compress("\n".join(status)).reason in ("too_small", "not_smaller")


def test_cmp_30_no_green_word_for_a_red_run(compress):
    text = "0 tests ran\nImportError: no module named zz\nexit status 1\n"
    assert compress(text).output.decode() == text
    long = "".join(f"collecting module_{n} from src/part{n % 7}\n" for n in range(300)) + text
    view = compress(long).output.decode()
    assert "ImportError: no module named zz" in view
    assert "exit status 1" in view
    assert not re.search(r"\bpass|success|\bFAIL \(0\)|green", view, re.IGNORECASE)


def test_cmp_29_each_failing_id_once_and_the_runs_own_totals(compress):
    names = ["test_x", "test_y", "test_z"]
    text = [f"tests/a.py::test_{n} PASSED [ {n % 99:2d}%]" for n in range(97)]
    text += [f"tests/a.py::{name} FAILED [ 99%]" for name in names]
    text += ["=" * 30 + " FAILURES " + "=" * 31]
    for name in names:
        text += failure_block(name, 7)
    text += ["=" * 20 + " short test summary info " + "=" * 20]
    text += [f"FAILED tests/a.py::{name} - assert 7 == 0" for name in names]
    text += ["=" * 20 + " 3 failed, 97 passed in 0.52s " + "=" * 20]
    view = compress("\n".join(text)).output.decode()
    for name in names:
        assert view.count(f"tests/a.py::{name}") == 1
    assert "3 failed, 97 passed" in view


def test_cmp_31_a_quiet_coloured_summary_is_understood(compress):
    block = [
        "_" * 30 + " test_z " + "_" * 30,
        *(f"    line {n} of the test" for n in range(10)),
        "E   assert 1 == 2",
    ]
    text = ["...F.", *block, "\x1b[31m1 failed\x1b[0m, 4 passed in 0.2s"]
    assert "1 failed" in compress("\n".join(text)).output.decode().replace("\x1b[31m", "").replace(
        "\x1b[0m", ""
    )
    padding = [f"collected fixture number {n} for the session" for n in range(200)]
    assert "1 failed, 4 passed in 0.2s" in compress("\n".join(padding + text)).output.decode()


def test_cmp_34_the_question_about_failures_is_answered_by_failures(compress, lines_of):
    verdict = {400: "FAILED", 900: "FAILED", 1700: "FAILED"}
    text = [f"{verdict.get(n, 'PASSED')} tests/t.py::test_{n}" for n in range(1, 2001)]
    shown, markers = lines_of(compress("\n".join(text), query="which tests failed"))
    assert shown[:3] == [f"FAILED tests/t.py::test_{n}" for n in (400, 900, 1700)]
    assert not any(line.startswith("PASSED") for line in shown)
    assert (
        sum(
            int(m[1].replace(",", ""))
            for line in markers
            if (m := re.match(r"\[caveman: ([\d,]+) lines", line))
        )
        > 1900
    )


def test_cmp_35_a_large_run_shrinks_by_nine_tenths_with_ids_and_messages(compress):
    failed = (300, 900, 1500)
    text = [f"tests/t.py::test_{n} {'FAILED' if n in failed else 'PASSED'}" for n in range(1, 2001)]
    for n in failed:
        text += failure_block(f"test_{n}", n)[-25:]
    text += [
        "=== short test summary info ===",
        *(f"FAILED tests/t.py::test_{n} - assert {n} == 0" for n in failed),
    ]
    text += ["=== 3 failed, 1997 passed in 9.81s ==="]
    result = compress("\n".join(text))
    view = result.output.decode()
    assert result.ratio > 0.9
    assert result.recovery_handle
    for n in failed:
        assert f"tests/t.py::test_{n}" in view
        assert f"E       assert {n} == 0" in view
    assert "3 failed, 1997 passed" in view


def test_cmp_42_redraws_show_their_last_state():
    bar = "\r".join(f"progress {n}%" for n in range(1, 101)) + "\n"
    layers = (
        "layer 1: 0 MB\n"
        + "".join(f"\x1b[1A\x1b[2Klayer 1: {n} MB\n" for n in range(300))
        + "\x1b[1A\x1b[2Klayer 1: done\n"
    )
    assert parse(bar.encode()).text == "progress 100%\n"
    assert parse(layers.encode()).text == "layer 1: done\n"


GO = """=== RUN   TestAlpha
--- PASS: TestAlpha (0.00s)
=== RUN   TestLedger
    ledger_test.go:42: balance = 17, want 19
--- FAIL: TestLedger (0.02s)
FAIL
exit status 1
FAIL\texample.com/ledger\t0.031s
"""
CARGO = """running 3 tests
test parser::keeps_order ... ok
test parser::closes_braces ... FAILED
test parser::trims ... ok

failures:

---- parser::closes_braces stdout ----
thread 'parser::closes_braces' panicked at src/parser.rs:118:9:
assertion `left == right` failed
  left: 3
 right: 4

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
"""
JEST = """PASS src/alpha.test.ts
FAIL src/cart.test.ts
  ● cart › adds tax

    expect(received).toBe(expected) // Object.is equality

    Expected: 119
    Received: 100

      at Object.<anonymous> (src/cart.test.ts:12:23)

Tests:       1 failed, 41 passed, 42 total
Time:        2.1 s
"""
MAVEN = """[INFO] Running com.example.LedgerTest
[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.08 s <<< FAILURE! - in com.example.LedgerTest
[ERROR] balances(com.example.LedgerTest)  Time elapsed: 0.01 s  <<< FAILURE!
java.lang.AssertionError: expected:<19> but was:<17>
\tat com.example.LedgerTest.balances(LedgerTest.java:42)
[ERROR] Tests run: 240, Failures: 1, Errors: 0, Skipped: 2
[INFO] BUILD FAILURE
"""
GCC = """src/widget.c: In function 'draw':
src/widget.c:88:13: error: 'pen' undeclared (first use in this function)
   88 |     stroke(pen);
      |            ^~~
src/widget.c:91:5: warning: unused variable 'ink' [-Wunused-variable]
make: *** [Makefile:12: src/widget.o] Error 1
"""
TSC = """src/cart.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.
Found 1 error in src/cart.ts:12
"""
ESLINT = """/srv/app/src/cart.js
  12:7  error  'tax' is assigned a value but never used  no-unused-vars

✖ 1 problem (1 error, 0 warnings)
"""
NPM = """npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported
npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
"""
DOCKER = """#9 [build 4/7] RUN make all
#9 ERROR: process "/bin/sh -c make all" did not complete successfully: exit code: 2
"""
TERRAFORM = """  # aws_s3_bucket.logs will be destroyed
Plan: 1 to add, 0 to change, 1 to destroy.
"""
ROUTINE = {
    "go": "=== RUN   TestCase{0}\n--- PASS: TestCase{0} (0.0{0}s)\n",
    "cargo": "test module::case_{0} ... ok\n",
    "jest": "  ✓ handles case {0} ({0} ms)\n",
    "maven": "[INFO] Downloading from central: https://repo.example.org/a/{0}/a-{0}.jar\n",
    "gcc": "gcc -O2 -Wall -c src/part{0}.c -o src/part{0}.o\n",
    "tsc": "checking project part-{0}\n",
    "eslint": "linting file number {0}\n",
    "npm": "npm http fetch GET 200 https://registry.example.org/pkg-{0} {0}ms\n",
    "docker": "#7 {0}.31 fetching layer part {0}\n",
    "terraform": "aws_instance.web[{0}]: Refreshing state... [id=i-{0}]\n",
}


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("go", GO),
        ("cargo", CARGO),
        ("jest", JEST),
        ("maven", MAVEN),
        ("gcc", GCC),
        ("tsc", TSC),
        ("eslint", ESLINT),
        ("npm", NPM),
        ("docker", DOCKER),
        ("terraform", TERRAFORM),
    ],
)
def test_what_a_tool_says_went_wrong_stays_among_hundreds_of_steps(compress, tool, told):
    steps = [ROUTINE[tool].format(n) for n in range(300)]
    result = compress("".join([*steps[:200], told, *steps[200:]]))
    view = result.output.decode()
    assert result.ratio > 0.8
    for line in told.splitlines():
        if not re.match(r"(=== RUN|--- PASS|test .* ok$|PASS |running|\[INFO\] Running|failures:)", line):
            assert line in view


def test_a_commit_keeps_its_subject(compress):
    def commit(n):
        body = "".join(
            f"    paragraph line {m} explains the change in more words than needed\n" for m in range(12)
        )
        return f"commit {n:040x}\nAuthor: A Person <a@example.org>\nDate:   Fri Oct 18 09:11:23 2024 +0800\n\n    Change number {n}\n\n{body}\n"

    view = compress("".join(commit(n) for n in range(12))).output.decode()
    for n in range(12):
        assert f"commit {n:040x}" in view
        assert f"    Change number {n}\n" in view


def test_what_the_command_names_is_followed_to_its_end(compress):
    text = ['Script started on 2026-11-30 [COMMAND="apt-get install -y stellarium"]']
    text += [f"Setting up libpart{n} (1.{n}-1) ..." for n in range(200)]
    text += ["Setting up stellarium (24.2-1) ..."]
    text += [f"Processing triggers for part{n} (2.{n}) ..." for n in range(100)]
    assert "Setting up stellarium (24.2-1) ..." in compress("\n".join(text)).output.decode()


def test_a_bound_is_filled_with_failures_first(compress):
    text = [f"tests/t.py::test_{n} PASSED" for n in range(3000)]
    text[1000:1000] = [f"FAILED tests/t.py::test_bad_{n} - assert {n} == 0" for n in range(10)]
    text += ["=== 10 failed, 3000 passed in 12.2s ===", "exit status 1"]
    result = compress("\n".join(text), max_tokens=600)
    assert result.tokens_after <= 600
    for expected in (*(f"test_bad_{n} " for n in range(10)), "10 failed, 3000 passed", "exit status 1"):
        assert expected in result.output.decode()


def test_a_ci_log_with_a_time_on_every_line_is_a_transcript(compress):
    lines = [f"  ✓ handles case {n} of the cart ({n % 9} ms)" for n in range(1500)]
    told = ["##[group]Run npm test", "  ● cart › adds tax", "    Expected: 119", "    Received: 100"]
    ends = ["Tests:       1 failed, 1499 passed, 1500 total", "##[error]Process completed with exit code 1."]
    lines = [*lines[:700], *told, *lines[700:], *ends]
    stamped = [f"2024-05-01T10:{n // 60 % 60:02}:{n % 60:02}.1234567Z {line}" for n, line in enumerate(lines)]
    result = compress("\n".join(stamped), max_tokens=500)
    view = result.output.decode()
    assert result.content_type == "terminal"
    for line in (*told, *ends):
        assert line in view


def test_a_small_run_reads_like_this():
    lines = [f"=== RUN   TestCase{n}\n--- PASS: TestCase{n} (0.00s)" for n in range(60)]
    lines[30] = (
        "=== RUN   TestLedger\n    ledger_test.go:42: balance = 17, want 19\n--- FAIL: TestLedger (0.02s)"
    )
    text = "\n".join([*lines, "FAIL", "exit status 1", "FAIL\texample.com/ledger\t0.031s"]) + "\n"
    (view,) = terminal.views(from_text(text), Request(None, 4000))
    assert (
        view.text
        == """\
=== RUN   TestCase0
--- PASS: TestCase0 (0.00s)
[caveman: 59 lines, 3-61]
    ledger_test.go:42: balance = 17, want 19
--- FAIL: TestLedger (0.02s)
[caveman: 57 lines, 64-120]
--- PASS: TestCase59 (0.00s)
FAIL
exit status 1
FAIL\texample.com/ledger\t0.031s
[caveman: 59 more like line 1]
[caveman: 57 more like line 2]
"""
    )


def test_compared_data_is_cut_and_what_comes_after_it_is_not(compress):
    compared = [f"      -line {n} of the page that was expected, with an error in it" for n in range(200)]
    text = ["  1) cart page", "     shows the tax:", "", "      AssertionError: expected 'a' to equal 'b'"]
    text += [
        "      + expected - actual",
        *compared,
        "  2) order page",
        "      TypeError: tax is not a function",
        "exit status 2",
    ]
    view = compress("\n".join([f"    ✔ works {n}" for n in range(50)] + text)).output.decode()
    for line in (text[0], text[3], *text[-3:]):
        assert line in view
    assert sum(line in view for line in compared) <= 8


def test_many_failing_ids_leave_room_for_the_outcome(compress):
    lines = [
        f"FAILED tests/area_{n % 13}/test_{n}.py::test_of_the_behaviour_{n} - AssertionError"
        for n in range(400)
    ]
    lines += ["=== 400 failed, 3 passed in 12.2s ===", "exit status 1"]
    view = compress("\n".join(lines), max_tokens=800).output.decode()
    assert "400 failed, 3 passed" in view
    assert "exit status 1" in view


PIECES = st.sampled_from(
    [*GO.splitlines(), *CARGO.splitlines(), *JEST.splitlines(), *GCC.splitlines(), "", "a" * 300]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES | st.text(max_size=20), max_size=80), st.integers(50, 3000), st.booleans())
def test_any_mixture_of_tools_makes_an_honest_view(lines, budget, hard):
    payload = from_text("\n".join(lines))
    for view in terminal.views(payload, Request(None, budget, hard)):
        assert is_honest(view)
        assert view.total == len(payload.lines)


def commits(total):
    """Make a ``git log --stat`` of commits whose hashes, subjects and totals are all different."""
    for n in range(total):
        yield from (
            f"commit {n * 0x9E3779B97F4A7C15 + 0xABCDEF:040x}",
            f"Author: Writer {n % 3} <w{n % 3}@example.org>",
            f"Date:   Mon Nov {1 + n % 28} 10:00:00 2026 +0000",
            "",
            f"    Handle the case {chr(97 + n % 26)}{chr(97 + n // 26)} of widgets",
            "",
            *(f" src/part_{n}_{i}.py | {i + 1} +" for i in range(n % 5 + 2)),
            f" {n % 5 + 2} files changed, {n + 100} insertions(+)",
            "",
        )


@pytest.mark.parametrize(
    ("query", "number"),
    [("How many files did the case 'hb' change?", 33), ("Totals of the oldest commit?", 59)],
)
def test_a_question_about_a_commit_brings_its_hash_subject_and_totals(compress, query, number):
    lines = list(commits(60))
    starts = [i for i, line in enumerate(lines) if line.startswith("commit ")] + [len(lines)]
    block = lines[starts[number] : starts[number + 1]]
    view = compress("\n".join(lines), query=query).output.decode()
    assert all(line in view for line in (block[0], block[4], block[-2]))


def test_the_beginning_of_a_hash_finds_its_commit(compress):
    lines = list(commits(60))
    start = [i for i, line in enumerate(lines) if line.startswith("commit ")][40]
    short = lines[start].split()[1].lstrip("0")[:9]
    lines[start] = "commit " + (short + "0123456789" * 4)[:40]
    view = compress("\n".join(lines), query=f"Subject of commit {short}?").output.decode()
    assert lines[start] in view
    assert lines[start + 4] in view


def test_the_result_of_a_build_and_its_compile_command_rank_above_its_copies(compress):
    lines = ["Collecting widget==1.2", "  Running command Building wheel for widget", "  running build_ext"]
    lines += [f"  copying lib/widget/m{n}.py -> build/lib/widget" for n in range(300)]
    lines += ["  gcc -O2 -fPIC -c widget/fast.c -o build/fast.o"]
    lines += [f"  adding 'widget/m{n}.py'" for n in range(300)]
    lines += [
        "  Created wheel for widget: filename=widget-1.2-cp311.whl size=602527 sha256=ab",
        "  Stored in /tmp/w",
    ]
    lines += [f"  removing build/lib/widget/m{n}.py" for n in range(300)]
    lines += ["Successfully built widget", *(f"Requirement already satisfied: dep{n}" for n in range(40))]
    lines += ["Successfully installed widget-1.2"]
    view = compress("\n".join(lines), max_tokens=500).output.decode()
    assert "-c widget/fast.c" in view
    assert "size=602527" in view
    assert "Successfully installed widget-1.2" in view
