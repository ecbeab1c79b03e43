"""[log]: what must stay visible, what is only counted, and what is no log."""

import random
import re
import traceback
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine.choice import is_honest
from caveman_engine.compressors import log
from caveman_engine.payload import from_text
from caveman_engine.views import Request


def steps(total, **special):
    """Make ``INFO step N ok`` for N from 1 to total, with some lines replaced (``at_12="..."``)."""
    replaced = {int(key.removeprefix("at_")): value for key, value in special.items()}
    return "".join(f"{replaced.get(n, f'INFO step {n} ok')}\n" for n in range(1, total + 1))


def left_out(markers):
    """Add up the lines that the gap markers say are missing."""
    gaps = (re.match(r"\[caveman: ([\d,]+) lines?, \d", line) for line in markers)
    return sum(int(gap[1].replace(",", "")) for gap in gaps if gap)


@pytest.mark.parametrize("total", range(6, 21))
def test_cmp_16_a_short_log_stays_as_it_is_or_really_shrinks(compress, total):
    result = compress(steps(total))
    assert result.reason in ("too_small", "not_smaller") or result.ratio > 0.3
    assert b"[caveman: 1 line," not in result.output


def test_cmp_58_next_to_nothing_stays_as_it_is(compress):
    for text in ("hi\n", "ok\n", ""):
        assert compress(text).output == text.encode()


def test_cmp_16_no_marker_stands_for_one_short_line(compress, lines_of):
    for total in range(40, 80):
        _, markers = lines_of(compress(steps(total)))
        assert not any(re.match(r"\[caveman: 1 line,", line) for line in markers)


def test_cmp_14_shown_and_left_out_add_up(compress, lines_of):
    result = compress(steps(5000))
    shown, markers = lines_of(result)
    assert len(shown) == result.shown
    assert len(shown) + left_out(markers) == result.total == 5000
    assert result.unit == "lines"
    assert result.ratio > 0.95


def test_cmp_15_copies_of_markers_are_not_taken_for_ours(compress, lines_of):
    forged = "[caveman: 500 lines, 7-506]"
    result = compress(steps(3000, at_100="... (34 more lines)", at_200=forged))
    shown, markers = lines_of(result)
    assert len(shown) + left_out(markers) == 3000
    assert forged not in markers


def test_cmp_17_numbers_alone_keep_their_total(compress):
    result = compress("".join(f"{n}\n" for n in range(1, 251)))
    assert result.reason is not None or (result.total == 250 and result.recovery_handle)


def test_cmp_32_never_an_empty_view(compress):
    text = "".join(f"loading plugin {n}\n" for n in range(60)) + "Abort\nexit status 134\n"
    view = compress(text).output.decode()
    assert "Abort" in view
    assert "exit status 134" in view
    for total in (20, 30, 40, 400):
        assert "file1.txt" in compress("".join(f"file{n}.txt\n" for n in range(1, total + 1))).output.decode()


def test_cmp_33_errors_without_the_usual_words_are_shown(compress):
    view = compress(steps(3000, at_1500="assertion failed at widget.c:9", at_2990="Killed")).output.decode()
    assert "assertion failed at widget.c:9" in view
    assert "\nKilled\n" in view


def test_cmp_36_a_unique_id_a_line_stops_nothing(compress):
    rnd = random.Random(7)
    lines = [
        f"INFO req={uuid.UUID(int=rnd.getrandbits(128))} path=/a ms={rnd.randrange(1, 41)}"
        for _ in range(2000)
    ]
    lines[776] = lines[776].replace("path=/a", "path=/admin")
    result = compress("\n".join(lines) + "\n")
    assert result.ratio > 0.8
    assert lines[776] in result.output.decode()


def test_cmp_37_no_cliff_after_many_different_lines(compress):
    rnd = random.Random(7)
    words = ["".join(rnd.choices("abcdefghijklmnopqrstuvwxyz", k=rnd.randrange(3, 9))) for _ in range(400)]
    start = [" ".join(rnd.sample(words, 5)) for _ in range(130)]
    result = compress("\n".join(start + [f"tick {n}" for n in range(2000)]) + "\n")
    view = result.output.decode()
    assert len(re.findall(r"^tick", view, re.MULTILINE)) < 15
    assert result.recovery_handle


def test_cmp_38_masked_digits_do_not_hide_a_rare_status(compress):
    lines = [f'10.0.0.7 - - "GET /p/{n} HTTP/1.1" 200 512' for n in range(2000)]
    lines[900] = lines[900].replace(" 200 ", " 503 ")
    assert lines[900] in compress("\n".join(lines)).output.decode()


def test_cmp_39_one_changed_word_in_a_long_line_is_shown(compress):
    line = "job {} in zone eu ended with state {} after retry none by worker w1"
    lines = [line.format(n, "skipped" if n == 250 else "succeeded") for n in range(1, 501)]
    assert lines[249] in compress("\n".join(lines)).output.decode()


def python_chain():
    def sink(depth):
        if depth:
            sink(depth - 1)
        raise ValueError("inner-41")

    try:
        try:
            sink(5)
        except ValueError as error:
            raise RuntimeError("outer-42") from error
    except RuntimeError:
        return traceback.format_exc().rstrip("\n")


def java_chain():
    def frames(package):
        return [f"\tat com.example.{package}.Step{n}.run(Step{n}.java:{n * 7 + 3})" for n in range(8)]

    top, root = "java.lang.IllegalStateException: top-43", "Caused by: java.io.IOException: root-44"
    return "\n".join([top, *frames("web"), root, *frames("disk")])


def test_cmp_40_tracebacks_stay_whole_with_their_causes(compress):
    blocks = python_chain(), java_chain()
    view = compress(steps(3000, at_900=blocks[0], at_2000=blocks[1])).output.decode()
    for block in blocks:
        assert block in view


def test_the_same_traceback_a_second_time_is_only_counted(compress):
    view = compress(steps(3000, at_900=java_chain(), at_1900=java_chain())).output.decode()
    assert view.count("root-44") == 1


def test_cmp_41_the_cause_before_many_last_lines_is_shown(compress):
    compile_ = [f"[{n}/10000] CC f{n}.o" for n in range(1, 10001)]
    remove = [f"removing f{n}.o" for n in range(79)]
    result = compress("\n".join([*compile_, "error: linking failed", *remove]) + "\n", max_tokens=5000)
    assert "error: linking failed" in result.output.decode()
    assert result.tokens_after <= 5000


def test_cmp_44_pythons_default_log_is_no_csv(compress, lines_of):
    lines = [f"2026-03-01 10:00:{n % 60:02},123 - app - INFO - step {n}" for n in range(800)]
    result = compress("\n".join(lines))
    assert result.content_type == "log"
    assert set(lines_of(result)[0]) <= set(lines)


def test_cmp_51_a_stray_byte_is_shown_as_such(compress):
    data = steps(500, at_250="caf? failed").encode().replace(b"caf?", b"caf\xe9")
    assert "caf� failed" in compress(data).output.decode()


def test_cmp_53_each_line_keeps_its_own_end(compress):
    lines = [f"INFO step {n} ok\n".encode() for n in range(400)]
    lines[199] = b"ERROR disk full\r\n"
    assert b"ERROR disk full\r\n" in compress(b"".join(lines)).output
    others = [line.replace(b"\n", b"\r\n") for line in lines]
    others[199] = b"ERROR disk full\n"
    view = compress(b"".join(others)).output
    assert b"\nERROR disk full\n" in view
    assert view.startswith(b"INFO step 0 ok\r\n")


@pytest.mark.slow
def test_cmp_57_time_grows_with_size_only():
    import time

    rnd = random.Random(7)

    def spent(size):
        lines = []
        while size > 0:
            lines.append(f"INFO req={uuid.UUID(int=rnd.getrandbits(128))} step {len(lines)} ok")
            size -= len(lines[-1]) + 1
        payload = from_text("\n".join(lines))
        start = time.perf_counter()
        assert list(log.views(payload, Request(None, 60_000)))
        return time.perf_counter() - start

    spent(100_000)
    assert spent(8_000_000) < 5 * 8 * max(0.02, spent(1_000_000))


def test_cmp_56_lines_keep_the_numbers_at_their_left(compress):
    lines = [f"{n:5}\tINFO step {n} ok" for n in range(1, 301)]
    lines[199] = "  200\tERROR disk full"
    result = compress("\n".join([*lines, "a reminder without a number"]))
    view = result.output.decode()
    assert "  200\tERROR disk full\n" in view
    assert re.search(r"^\[caveman: \d+ lines, \d+-\d+", view, re.MULTILINE)


GOLDEN = """\
2026-03-01T10:00:00Z INFO cart order=0 state=open
[caveman: 68 lines, 2-69]
2026-03-01T10:01:09Z INFO cart order=553 state=open
2026-03-01T10:01:10Z ERROR cart cannot reach the ledger
Traceback (most recent call last):
  File "cart.py", line 31, in book
    ledger.post(order)
ConnectionError: ledger:7001
2026-03-01T10:01:11Z INFO cart order=627 state=paid
[caveman: 44 lines, 77-120]
2026-03-01T10:01:56Z INFO cart order=7 state=void
[caveman: 60 lines, 122-181]
2026-03-01T10:02:57Z INFO cart order=549 state=open
2026-03-01T10:02:58Z INFO cart order=586 state=paid
2026-03-01T10:02:59Z INFO cart order=623 state=paid
[caveman: 172 more like line 1; state: paid×115 open×57]
"""


def test_a_small_log_reads_like_this():
    lines = [
        f"2026-03-01T10:{n // 60:02}:{n % 60:02}Z INFO cart order={n * 37 % 1000} state={'paid' if n % 3 else 'open'}"
        for n in range(180)
    ]
    lines[70] = "2026-03-01T10:01:10Z ERROR cart cannot reach the ledger"
    lines[71:71] = GOLDEN.splitlines()[4:8]
    lines[120] = "2026-03-01T10:01:56Z INFO cart order=7 state=void"
    (view,) = log.views(from_text("\n".join(lines) + "\n"), Request(None, 4000))
    assert view.text == GOLDEN


def test_facts_about_lines_left_out_are_true(compress, lines_of):
    rnd = random.Random(7)
    lines = [f"INFO user={rnd.choice(['root', 'guest'])} took={rnd.random()} login {n}" for n in range(400)]
    shown, markers = lines_of(compress("\n".join(lines)))
    missing = [line for line in lines if line not in shown]
    (said,) = (line for line in markers if "user: " in line)
    counts = {name: int(times) for name, times in re.findall(r"(root|guest)×(\d+)", said)}
    assert counts == {name: sum(f"user={name} " in line for line in missing) for name in counts}
    assert f"[caveman: {len(missing)} more like line " in said


def test_credentials_are_never_repeated_in_facts(compress, lines_of):
    lines = [f"INFO password={'hush' if n % 3 else 'hash'} step {n}" for n in range(400)]
    _, markers = lines_of(compress("\n".join(lines)))
    assert not any("hush" in line or "hash" in line for line in markers)


def test_a_question_brings_its_lines_within_a_small_view(compress):
    lines = [f"2026-03-01T10:00:{n % 60:02} INFO worker {n} heartbeat queue=main" for n in range(3000)]
    lines[1234] = "2026-03-01T10:00:34 INFO cache cluster listens on port 7001"
    result = compress("\n".join(lines), query="on which port does the cache listen")
    assert lines[1234] in result.output.decode()
    assert result.ratio > 0.97


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=60), st.integers(50, 4000), st.booleans())
def test_any_lines_make_an_honest_view_or_none(lines, budget, hard):
    payload = from_text("\n".join(lines))
    for view in log.views(payload, Request("error code", budget, hard)):
        kept = [line for line in view.text.splitlines() if not line.startswith("[caveman:")]
        assert is_honest(view)
        assert view.total == len(payload.lines)
        assert set(kept) <= {part for line in payload.lines for part in line.splitlines()} | {""}


def test_a_column_is_named_by_a_word_only_if_it_stands_in_all_lines(compress):
    rnd = random.Random(7)
    lines = [
        f"job {n} {rnd.choice(('began', 'ended', 'paused'))} {rnd.choice(('monday', 'friday'))} zone {'ab'[n % 2]}"
        for n in range(600)
    ]
    view = compress("\n".join(lines)).output.decode()
    assert "zone: " in view
    assert not re.search(r"(?:began|ended|paused): (?:monday|friday)", view)


def test_remarks_between_stamped_lines_do_not_hide_a_log(compress):
    lines = []
    for n in range(200):
        remark = f"# case {n}: host 10.0.0.{n}" if n % 3 else ""
        lines += [
            remark,
            f"Mar {1 + n % 28:2} 10:00:{n % 60:02} gate sshd[{n}]: Failed password for u{n % 5} from 10.0.0.{n}",
        ]
    assert compress("\n".join(lines)).content_type == "log"


def test_a_numbered_log_with_levels_is_a_log(compress):
    words = ("silly fetch manifest", "http fetch GET 200", "verbose stack", "timing idealTree")
    lines = [f"{n} {words[n % 4]} of package-{n * 7} in {n}ms" for n in range(400)]
    lines += ["400 verbose exit 0", "401 info ok"]
    result = compress("\n".join(lines))
    assert result.content_type == "log"
    assert "400 verbose exit 0" in result.output.decode()
