"""caveman-engine as a user types it: data on stdout, talk on stderr, exit codes."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

BIN = pathlib.Path(sys.executable).parent
LOG = b"".join(b"INFO step %d ok\n" % n for n in range(1, 2001))
ZERO = "ccr_" + "0" * 32
pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path):
    env = {k: v for k, v in os.environ.items() if not k.startswith("CAVEMAN_")} | {
        "CAVEMAN_HOME": str(tmp_path / "h")
    }

    def run(*args, stdin=b"", **extra):
        return subprocess.run(
            [BIN / "caveman-engine", *args], input=stdin, capture_output=True, env=env | extra
        )

    return run


def test_help_has_examples(run):
    shown = run("compress", "--help")
    assert shown.returncode == 0
    assert b"Examples" in shown.stdout


def test_compress_and_retrieve_are_inverse_through_files_and_pipes(run, tmp_path):
    source = tmp_path / "größe 1.log"
    source.write_bytes(LOG)
    for shown in (run("compress", str(source)), run("compress", stdin=LOG)):
        report = json.loads(shown.stderr)
        assert report["recovery_handle"].encode() in shown.stdout
        assert run("retrieve", report["recovery_handle"]).stdout == LOG


def test_json_output_has_every_field_and_the_view(run):
    report = json.loads(run("compress", "--json", stdin=LOG).stdout)
    assert set(report) >= {
        "output", "content_type", "compressor", "method", "tokens_before", "tokens_after", "ratio",
        "token_count_basis", "basis", "recovery_handle", "lossless", "reason",
    }  # fmt: skip
    assert report["basis"] == "inferred"
    assert report["reason"] is None


def test_bytes_that_are_no_text_are_exact_in_json_too(run):
    import base64

    data = b"\x00\xff" * 40
    report = json.loads(run("compress", "--json", stdin=data).stdout)
    assert report["output_encoding"] == "base64"
    assert base64.b64decode(report["output"]) == data


def test_simulate_writes_nothing(run, tmp_path):
    report = json.loads(run("simulate", "--json", stdin=LOG).stdout)
    assert report["tokens_after"] < report["tokens_before"]
    assert not (tmp_path / "h" / "ccr.db").exists()
    assert not (tmp_path / "h" / "ledger.db").exists()


def test_detect_prints_ranked_types(run):
    assert run("detect", stdin=LOG).stdout.split()[0] in (b"log", b"text", b"repetition")


def test_stats_counts_what_was_stored(run):
    run("compress", stdin=LOG)
    report = json.loads(run("stats", "--json").stdout)
    assert report["records"] == 1


@pytest.mark.parametrize(
    ("args", "code", "status"),
    [
        (("retrieve", ZERO), "cave_unknown_handle", 1),
        (("retrieve", "ccr_12"), "cave_invalid_pointer", 1),
        (("compress", "no-such-file"), "cave_failed", 1),
        (("compress", "--type", "novel"), "cave_usage", 2),
    ],
    ids=["unknown handle", "malformed handle", "no such file", "unknown type"],
)
def test_an_error_has_its_code_and_status_and_prints_nothing_on_stdout(run, args, code, status):
    shown = run(*args)
    assert (shown.returncode, shown.stdout) == (status, b"")
    assert code.encode() in shown.stderr
    as_json = run(*args, "--json")
    assert json.loads(as_json.stderr)["code"] == code


def test_an_unknown_command_is_a_usage_error(run):
    assert run("frobnicate").returncode == 2


def test_a_bad_store_size_is_refused_with_the_variable_named(run, tmp_path):
    shown = run("compress", stdin=LOG, CAVEMAN_CCR_MAX_BYTES="lots")
    assert shown.returncode == 78
    assert b"CAVEMAN_CCR_MAX_BYTES" in shown.stderr
    assert not (tmp_path / "h" / "ccr.db").exists()


def test_a_store_that_is_a_symlink_is_refused_and_nothing_is_written_cmp_06(run, tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "other.db")
    shown = run("compress", stdin=LOG, CAVEMAN_CCR_DB=str(tmp_path / "link.db"))
    assert (shown.returncode, shown.stdout) == (78, b"")
    assert not (tmp_path / "other.db").exists()


def test_a_full_store_lets_the_input_pass_with_exit_0(run):
    shown = run("compress", stdin=os.urandom(20_000).hex().encode() + b"\n" + LOG, CAVEMAN_CCR_MAX_BYTES="1K")
    assert shown.returncode == 0
    assert json.loads(shown.stderr)["reason"] == "store_full"


def test_input_over_the_limit_exits_65(run, tmp_path):
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    shown = run("compress", str(big))
    assert (shown.returncode, shown.stdout) == (65, b"")


def test_a_closed_pipe_ends_quietly(tmp_path):
    source = tmp_path / "x.txt"
    source.write_bytes(os.urandom(400_000).hex().encode())
    command = f"'{BIN}/caveman-engine' compress '{source}' 2>/dev/null | head -c 10"
    env = os.environ | {"CAVEMAN_HOME": str(tmp_path / "h")}
    shown = subprocess.run(command, shell=True, capture_output=True, env=env)
    assert len(shown.stdout) == 10


def test_the_handle_of_a_shortened_document_and_a_part_of_it_resolve_in_a_later_process_tnj_25_tnj_26(run):
    rows = [{"id": n, "text": "".join(chr(97 + (n * k) % 26) for k in range(1, 301))} for n in range(180)]
    data = json.dumps({"rows": rows}).encode()
    report = json.loads(run("compress", "--json", stdin=data).stdout)
    handles = set(re.findall(r"ccr_[0-9a-f]{32}", report["output"]))
    assert handles == {report["recovery_handle"]}
    assert run("retrieve", *handles).stdout == data
    assert (
        run("retrieve", f"ccr://{report['recovery_handle']}#/rows/3").stdout == json.dumps(rows[3]).encode()
    )
    missing = run("retrieve", f"ccr://{report['recovery_handle']}#/rows/999")
    assert (missing.stdout, missing.returncode) == (b"", 1)
    assert b"cave_selector_not_found" in missing.stderr
