import signal
import subprocess
import sys
import time

from caveman_app.capture import Capture

PYTHON = sys.executable


def test_what_a_background_child_holds_open_is_not_waited_for(caveman):
    begun = time.monotonic()
    done = caveman("tools", "shrink", "--", "sh", "-c", "echo hi; sleep 20 & exit 7")
    assert (done.returncode, done.stdout) == (7, b"hi\n")
    assert time.monotonic() - begun < 15


def test_a_termination_is_handed_on_and_what_was_printed_is_shown(home, tmp_path):
    mark = tmp_path / "ready"
    script = f"trap 'echo ended; exit 9' TERM; echo ready >&2; touch {mark}; while :; do sleep 0.05; done"
    shrink = ["from caveman_app.cli import run; run()", "tools", "shrink", "--", "sh", "-c", script]
    process = subprocess.Popen([PYTHON, "-c", *shrink], stdout=subprocess.PIPE)
    while not mark.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (9, b"ready\nended\n")


def test_capture_notes_failures_on_both_sides_of_its_limit():
    capture = Capture(100)
    for n in range(1, 101):
        capture.feed(b"%d %s\n" % (n, b"FATAL" if n in (3, 60) else b"fine"))
    assert capture.failures == [(3, b"3 FATAL"), (60, b"60 FATAL")]
    assert capture.read().count(b"\n") == capture.lines == 100
    capture.close()
