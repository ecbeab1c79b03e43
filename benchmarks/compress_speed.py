"""Seconds, MB/s and resident memory of one cold `caveman-engine compress`, at 1, 4, 10 and 16 MB.

    python benchmarks/compress_speed.py [--runs 3]

The log is made from a fixed seed. Each row is the median of several whole processes; the last column is the
ratio to one bare token count of the same file in its own process, measured in the same run.
"""

import argparse
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(sys.executable).parent
NAMES = ("cart", "ledger", "mailer", "index", "edge")
COUNT = "import sys;from caveman_engine.tokens import count;count(open(sys.argv[1]).read())"


def log(size: int) -> str:
    """Make a service's log of ``size`` bytes: a request a line, one in 2,000 an error."""
    rnd = random.Random(11)
    lines: list[str] = []
    written = 0
    while written < size:
        i = len(lines)
        status = 200 if rnd.random() < 0.995 else 503
        line = (
            f"2026-05-{1 + i % 28:02}T{i % 24:02}:{i % 60:02}:{rnd.randrange(60):02}.{rnd.randrange(1000):03}Z INFO "
            f"{rnd.choice(NAMES)} request id={rnd.getrandbits(64):016x} user={rnd.randrange(90000)} status={status} "
            f"took={rnd.randrange(900)}ms path=/api/v{rnd.randrange(1, 4)}/{rnd.choice(NAMES)}/{rnd.randrange(5000)}"
        )
        if rnd.random() < 0.0005:
            line = line.replace("INFO", "ERROR") + f" deadlock detected on relation {rnd.choice(NAMES)}_{i}"
        lines.append(line)
        written += len(line) + 1
    return "\n".join(lines) + "\n"


def cold(command: list[str], env: dict[str, str], runs: int) -> tuple[float, float]:
    """Give the median wall seconds of a whole process and the peak resident MB over all children so far."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> int:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    print("| input | seconds | MB/s | peak RSS, MB | × one token count |")
    print("|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, CAVEMAN_HOME=home)
        for megabytes in (1, 4, 10, 16):
            path = pathlib.Path(home, f"{megabytes}.log")
            path.write_text(log(megabytes * 1_000_000), encoding="utf-8")
            seconds, peak = cold([str(BIN / "caveman-engine"), "compress", str(path)], env, runs)
            count, _ = cold([sys.executable, "-c", COUNT, str(path)], env, runs)
            cells = (f"{seconds:.2f}", f"{megabytes / seconds:.1f}", f"{peak:.0f}", f"{seconds / count:.1f}")
            print(f"| {megabytes} MB log | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
