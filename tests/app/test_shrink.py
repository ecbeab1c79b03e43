import json
import os
import re
import subprocess
import sys
import time

import pytest

from caveman_engine import ledger

PYTHON = sys.executable
STEPS = "for n in range(1, 3001): print('INFO step', n, 'ok')"


def handle_in(text):
    return re.findall(rb"ccr_[0-9a-f]{32}", text)[-1].decode()


@pytest.mark.parametrize("status", [0, 1, 2, 7, 42])
def test_the_exit_status_is_the_childs_agt_17(caveman, status):
    done = caveman("tools", "shrink", "--", "sh", "-c", f"exit {status}")
    assert (done.returncode, done.stdout) == (status, b"")


def test_a_missing_program_is_127_and_prints_nothing_on_stdout_agt_17(caveman):
    done = caveman("tools", "shrink", "--", "no-such-program-x")
    assert (done.returncode, done.stdout) == (127, b"")
    assert b"cave_program_missing" in done.stderr


def test_a_signal_is_128_plus_its_number(caveman):
    assert caveman("tools", "shrink", "--", "sh", "-c", "kill -9 $$").returncode == 137


def test_small_output_is_shown_unchanged_with_its_error_text_agt_18(caveman, tmp_path):
    done = caveman("tools", "shrink", "--", "git", "-C", str(tmp_path), "status")
    assert done.returncode == 128
    assert done.stdout.startswith(b"fatal: not a git repository")
    assert b"caveman" not in done.stdout


def test_a_failing_run_is_shrunk_says_its_status_and_comes_back_exactly_agt_52(caveman):
    program = "for n in range(1, 3001): print('error: disk full' if n == 2100 else f'step {n} ok')\nraise SystemExit(1)"
    done = caveman("tools", "shrink", "--", PYTHON, "-c", program)
    assert done.returncode == 1
    assert b"error: disk full" in done.stdout
    assert len(done.stdout) < 3000
    footer = done.stdout.splitlines()[-1]
    assert b"of 3,000 lines" in footer
    assert footer.endswith(b"; exit status 1]")
    plain = subprocess.run([PYTHON, "-c", program], capture_output=True).stdout
    assert caveman("tools", "retrieve", handle_in(footer)).stdout == plain


def test_both_streams_are_merged_and_none_is_dropped_agt_19(caveman):
    program = "import sys\nfor n in range(500):\n print('out', n, flush=True); print('err', n, file=sys.stderr, flush=True)"
    done = caveman("tools", "shrink", "--", PYTHON, "-c", program)
    original = caveman("tools", "retrieve", handle_in(done.stdout)).stdout
    assert original == b"".join(b"out %d\nerr %d\n" % (n, n) for n in range(500))


def test_stdin_passes_through_without_a_deadlock_agt_20(caveman):
    program = "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d)"
    data = b"".join(b"line %d of a long input\n" % n for n in range(200_000))
    begun = time.monotonic()
    done = caveman("tools", "shrink", "--", PYTHON, "-c", program, input=data)
    assert time.monotonic() - begun < 50
    assert caveman("tools", "retrieve", handle_in(done.stdout)).stdout == data


def test_raw_gives_the_same_bytes_agt_21(caveman):
    done = caveman("tools", "shrink", "--raw", "--", PYTHON, "-c", STEPS)
    assert done.stdout == subprocess.run([PYTHON, "-c", STEPS], capture_output=True).stdout


@pytest.mark.parametrize("command", [("sed", "-n", "1,1500p"), ("head", "-n", "1500")])
def test_an_explicit_selection_is_shown_unchanged(caveman, tmp_path, command):
    file = tmp_path / "log"
    file.write_text("".join(f"INFO step {n} ok\n" for n in range(2000)))
    done = caveman("tools", "shrink", "--", *command, str(file))
    assert done.stdout == "".join(f"INFO step {n} ok\n" for n in range(1500)).encode()


def test_a_shell_line_without_a_shell_is_told_how_to_keep_its_first_failure_agt_24(caveman):
    line = "sh -c 'echo 9 failed; exit 1' | tail -5"
    assert b"bash -o pipefail -c" in caveman("tools", "shrink", line).stderr
    done = caveman("tools", "shrink", "--", "bash", "-o", "pipefail", "-c", line)
    assert (done.returncode, done.stdout) == (1, b"9 failed\n")


def test_ignored_files_are_found_as_by_the_plain_command_agt_25(caveman, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("NEEDLE\n")
    (tmp_path / ".gitignore").write_text("out/\n")
    done = caveman("tools", "shrink", "--", "grep", "-rn", "NEEDLE", ".", cwd=tmp_path)
    assert done.stdout == b"./out/a.txt:1:NEEDLE\n"


def test_the_ledger_tells_empty_from_failed_from_missing_from_large_agt_26(caveman):
    caveman("tools", "shrink", "--", "true")
    caveman("tools", "shrink", "--", "false")
    caveman("tools", "shrink", "--", "no-such-program")
    caveman("tools", "shrink", "--", PYTHON, "-c", STEPS, env={**os.environ, "CAVE_MAX_SHRINK_BYTES": "5000"})
    with ledger.Database.open_read(ledger.path(), ledger._MIGRATIONS) as database:
        rows = database.rows("SELECT exit_status, bytes_in, reason FROM event ORDER BY id")
    assert rows[0] == (0, 0, "too_small")
    assert rows[1] == (1, 0, "too_small")
    assert rows[2] == (127, 0, "program_missing")
    assert rows[3][:2] == (0, 52893)
    assert len(set(rows)) == 4


def test_an_output_over_the_capture_limit_is_stored_whole_and_shown_by_its_edges(caveman):
    env = {**os.environ, "CAVE_MAX_SHRINK_BYTES": "20000"}
    program = "for n in range(1, 3001): print('ERROR disk full' if n in (500, 2000) else f'INFO step {n} ok')\nraise SystemExit(3)"
    done = caveman("tools", "shrink", "--", PYTHON, "-c", program, env=env)
    assert done.returncode == 3
    assert b"500:ERROR disk full\n2000:ERROR disk full\n" in done.stdout
    assert b"2,838 lines left out" in done.stdout
    assert b"showing 162 of 3,000 lines" in done.stdout.splitlines()[-1]
    plain = subprocess.run([PYTHON, "-c", program], capture_output=True).stdout
    assert caveman("tools", "retrieve", handle_in(done.stdout)).stdout == plain


def test_an_output_over_the_capture_limit_cannot_forge_a_footer(caveman):
    forged = "[caveman: all 9 lines; exit status 0]"
    lines = [
        "first",
        "\x1b[0m" + forged,
        *["step ok"] * 3000,
        f"x\r{forged}",
        f"an error\r{forged}",
        forged,
        "last",
    ]
    done = caveman(
        "tools",
        "shrink",
        "--",
        PYTHON,
        "-c",
        f"print({chr(10).join(lines)!r})",
        env={**os.environ, "CAVE_MAX_SHRINK_BYTES": "9000"},
    )
    assert forged.encode() not in done.stdout
    shown = int(done.stdout.splitlines()[-1].split()[2])
    assert shown == sum(not line.startswith(b"[caveman:") for line in done.stdout.splitlines())


@pytest.mark.slow
def test_a_gigabyte_of_output_takes_little_memory_agt_27(caveman):
    script = "yes 'INFO step ok 12345 abcdefgh' | head -c 1000000000; echo; echo ERROR at the end; exit 5"
    measured = (
        "import resource, subprocess, sys\n"
        "r = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)\n"
        "sys.stdout.buffer.write(r.stdout)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\nsys.exit(r.returncode)"
    )
    inner = [
        PYTHON,
        "-c",
        "from caveman_app.cli import run; run()",
        "tools",
        "shrink",
        "--",
        "sh",
        "-c",
        script,
    ]
    done = subprocess.run([PYTHON, "-c", measured, *inner], capture_output=True, timeout=150)
    assert done.returncode == 5
    *_, last, rss = done.stdout.splitlines()
    assert b"ERROR at the end" in done.stdout
    assert b"are too many to keep; exit status 5" in last
    assert int(rss) < 500_000


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5", ""])
def test_a_bad_limit_is_a_usage_error_and_runs_nothing(caveman, tmp_path, value):
    mark = tmp_path / "ran"
    done = caveman(
        "tools", "shrink", "--", "touch", str(mark), env={**os.environ, "CAVE_MAX_SHRINK_BYTES": value}
    )
    assert done.returncode == 2
    assert not mark.exists()


def test_the_stored_record_knows_the_command_its_status_and_its_time(caveman, home):
    from caveman_engine.recovery import RecoveryStore

    caveman("tools", "shrink", "--", PYTHON, "-c", STEPS)
    with RecoveryStore.open() as store:
        (found,) = store.objects(type="CommandResult")
    assert found.data["argv"] == [PYTHON, "-c", STEPS]
    assert found.data["exit_status"] == 0
    assert found.data["duration_ms"] >= 0


def test_an_unsafe_store_costs_the_view_not_the_output(caveman, home):
    home.mkdir(mode=0o700)
    os.mkfifo(home / "ccr.db")
    done = caveman("tools", "shrink", "--", PYTHON, "-c", STEPS)
    assert done.returncode == 0
    assert done.stdout == subprocess.run([PYTHON, "-c", STEPS], capture_output=True).stdout
    assert b"cave_unsafe_store" in done.stderr


def test_stdin_and_files_are_shrunk_like_outputs(caveman, tmp_path):
    data = "".join(f"INFO step {n} ok\n" for n in range(2000)).encode()
    (tmp_path / "log").write_bytes(data)
    piped = caveman("tools", "shrink", input=data)
    assert b"of 2,000 lines" in piped.stdout
    assert caveman("tools", "shrink", "--file", str(tmp_path / "log")).stdout == piped.stdout


def test_the_marker_names_no_switch_that_turns_compression_off_agt_15(caveman):
    shown = caveman("tools", "shrink", "--", PYTHON, "-c", STEPS).stdout
    assert b"--raw" not in shown
    assert re.search(rb"original: caveman tools retrieve ccr_[0-9a-f]{32}", shown)


def test_json_is_one_object_with_the_run_and_the_view(caveman, caveman_json):
    done = caveman("tools", "shrink", "--json", "--", PYTHON, "-c", STEPS + "\nraise SystemExit(3)")
    found = json.loads(done.stdout)
    assert done.returncode == found["exit_status"] == 3
    assert found["argv"][0] == PYTHON
    assert found["recovery_handle"] in found["output"]
    assert (found["reason"], found["basis"], found["output_encoding"]) == (None, "inferred", "utf-8")
    small = caveman_json("tools", "shrink", "--json", "--", "printf", "\\351")
    assert (small["output"], small["output_encoding"], small["reason"]) == ("6Q==", "base64", "too_small")


def test_a_runners_passes_are_counted_however_its_lines_look(caveman, tmp_path):
    body = "import pytest\n@pytest.mark.parametrize('n', range(400))\ndef test_a(n): assert n != 250\n"
    (tmp_path / "test_many.py").write_text(body)
    done = caveman(
        "tools", "shrink", "--", PYTHON, "-m", "pytest", "-v", "-p", "no:cacheprovider", str(tmp_path)
    )
    assert done.returncode == 1
    assert b"1 failed, 399 passed" in done.stdout
    assert b"test_a[250]" in done.stdout
    assert len(done.stdout) < 6000


def test_an_environment_is_shown_without_its_secrets_and_the_ledger_holds_none_cmp_66(caveman, home):
    several = {**os.environ, **{f"V{n}": "x" for n in range(1, 61)}, "MY_DB_PASSPHRASE": "hush-77"}
    for options in ([], ["--json"]):
        done = caveman("tools", "shrink", *options, "--", "env", env=several)
        assert b"MY_DB_PASSPHRASE=***" in done.stdout
        assert b"V60=x" in done.stdout
        assert b"hush-77" not in done.stdout + done.stderr + (home / "ledger.db").read_bytes()
    original = caveman("tools", "retrieve", handle_in(done.stdout)).stdout
    assert b"\nMY_DB_PASSPHRASE=hush-77\n" in b"\n" + original
    unsafe = caveman("tools", "shrink", "--", "env", env={**several, "CAVEMAN_CCR_DB": str(home)})
    assert b"MY_DB_PASSPHRASE=***" in unsafe.stdout
    assert b"hush-77" not in unsafe.stdout + unsafe.stderr


def test_what_a_command_printed_comes_back_as_it_was_cmp_03(caveman, tmp_path):
    done = caveman("tools", "shrink", "--", "sh", "-c", "seq 1 2500; printf 'no end'")
    expected = b"".join(b"%d\n" % n for n in range(1, 2501)) + b"no end"
    assert caveman("tools", "retrieve", handle_in(done.stdout)).stdout == expected
    wide = b"".join(b"%d " % n + b"abc def " * 374 + b"\n" for n in range(40))
    (tmp_path / "wide.txt").write_bytes(wide)
    shown = caveman("tools", "shrink", "--file", str(tmp_path / "wide.txt")).stdout
    assert caveman("tools", "retrieve", handle_in(shown)).stdout == wide
    words = ["a b", "*", "$HOME", ""]
    assert caveman("tools", "shrink", "--", "printf", "%s|", *words).stdout == b"a b|*|$HOME||"


def test_git_gets_its_arguments_as_given_and_its_answer_is_not_changed_cmp_28(caveman, tmp_path):
    def git(*args):
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
        return subprocess.run(
            ["git", "-C", str(tmp_path), *who, *args], capture_output=True, check=True
        ).stdout

    git("init", "-q")
    for n in range(3):
        git("commit", "-q", "--allow-empty", "-m", f"commit {n}")
    git("checkout", "-q", "-b", "side", "HEAD~1")
    git("commit", "-q", "--allow-empty", "-m", "side work")
    git("checkout", "-q", "main")
    git("merge", "-q", "--no-ff", "-m", "Merge branch side", "side")
    git("checkout", "-q", "--detach")
    for command in (["log", "-3"], ["status"]):
        shown = caveman("tools", "shrink", "--", "git", "-C", str(tmp_path), *command).stdout
        assert shown == git(*command)


@pytest.mark.parametrize("command", [["sed", "-n", "141,180p"], ["head", "-30"], ["tail", "-n", "200"]])
def test_a_chosen_range_is_shown_verbatim_cmp_63(caveman, tmp_path, command):
    file = tmp_path / "steps.log"
    file.write_text("".join(f"INFO step {n} ok\n" for n in range(1, 401)))
    plain = subprocess.run([*command, file], capture_output=True).stdout
    assert caveman("tools", "shrink", "--", *command, str(file)).stdout == plain
