"""The one promise, through library and command: whatever is compressed comes back byte for byte."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import Engine
from caveman_engine.recovery import RecoveryStore

COMMAND = [sys.executable, "-c", "from caveman_engine.cli import main; main()"]
ALPHABET = st.sampled_from(
    [
        "INFO step {} ok\n",
        "caf\xe9 {}\r\n",
        "\x1b[31m{}\x1b[0m\n",
        '{{"a": {}}}\n',
        "\0",
        "漢字 {}\n",
        "{},x,y\n",
        "[caveman: {}]\n",
    ]
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(ALPHABET, st.integers(1, 60)), max_size=6),
    st.sampled_from(["utf-8", "latin-1", "utf-16"]),
    st.binary(max_size=5),
)
def test_any_bytes_that_are_compressed_come_back(runs, encoding, tail):
    text = "".join(line.format(i) for line, times in runs for i in range(times))
    original = text.encode(encoding, "replace") + tail
    store = RecoveryStore.in_memory()
    result = Engine(store).compress(original)
    if result.reason:
        assert result.output == original
        assert store.stats().records == 0
    else:
        assert Engine(store).retrieve(result.recovery_handle) == original
        assert store.verify().problems == ()


def run(*args, stdin=None):
    return subprocess.run([*COMMAND, *args], input=stdin, capture_output=True)


@pytest.mark.slow
def test_every_form_gives_the_exact_bytes_by_command():
    """cmp-07, cmp-51, cmp-53."""
    lines = [b"INFO step %d ok\n" % i for i in range(1, 501)]
    lines[249], lines[199] = b"caf\xe9 failed\n", b"INFO step 200 ok\r\n"
    original = b"".join(lines)
    handle = json.loads(run("compress", "--json", stdin=original).stdout)["recovery_handle"]
    for form in (handle, f"ccr:{handle}", f"<<ccr:{handle}>>", f"ccr://{handle}", f" {handle}\n"):
        assert run("retrieve", form).stdout == original
    assert run("retrieve", f"ccr://{handle}#line=249,250").stdout == b"caf\xe9 failed\n"
    unknown = run("retrieve", "ccr_" + "0" * 32)
    assert (unknown.returncode, unknown.stdout) == (1, b"")
    assert b"cave_unknown_handle" in unknown.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_handle_that_reached_stdout_resolves_after_kill_9(tmp_path):
    """cmp-04."""
    chance = random.Random(5)
    source = tmp_path / "log"
    for _ in range(12):
        source.write_bytes(
            b"".join(b"INFO %d step %d ok\n" % (chance.random() * 1e9, i) for i in range(20_000))
        )
        child = subprocess.Popen(
            [*COMMAND, "compress", str(source)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.005, 0.6))
        child.send_signal(signal.SIGKILL)
        shown = child.communicate()[0]
        with RecoveryStore.open() as store:
            if b"original: caveman tools retrieve " in shown:
                handle = shown.rsplit(b"retrieve ", 1)[1].split(b"]")[0].decode()
                assert store.get(handle) == source.read_bytes()
            assert store.verify().problems == ()
