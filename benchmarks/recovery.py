"""What the recovery store costs: put, get, and retrieve with a query, by size of the original.

    python benchmarks/recovery.py [--runs 5] [--largest 64]

Prints milliseconds (the median of the runs) and peak memory. Each measurement is a process of its own; "cold" is
the whole process, `python -c pass` included, as an agent pays for it. Log lines of realistic variety; one line in
a thousand is asked for.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = {"1 KB": 1_000, "100 KB": 100_000, "10 MB": 10_000_000, "64 MB": 64 * 1024 * 1024}
QUERY = "gateway timeout shard"

CHILD = """
import json, sys, time
from caveman_engine.recovery import Record, RecoveryStore
action, path, argument = sys.argv[1:4]
store = RecoveryStore.open(path, 2**33)
start = time.perf_counter()
if action == "put":
    with open(argument, "rb") as file:
        data = file.read()
    start = time.perf_counter()
    print(store.put(Record(content_type="log"), data), file=sys.stderr)
elif action == "get":
    len(store.get(argument))
elif action == "slice":
    len(store.get(argument + "#byte=0,500"))
else:
    from caveman_engine.retrieve import view
    view(store.get(argument), sys.argv[4], content_type="log")
elapsed = time.perf_counter() - start
peak = 0.0
if sys.platform == "linux":  # getrusage's maximum is inherited from the process that started this one
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1000
elif sys.platform == "darwin":
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(json.dumps([elapsed * 1000, peak]))
"""


def log(size: int) -> bytes:
    """Give about ``size`` bytes of log lines, always the same."""
    chance = random.Random(size)
    words = (
        "alpha beta cache delta handler node payload queue replica request session shard token worker".split()
    )
    lines: list[str] = []
    total = 0
    while total < size:
        i = len(lines)
        level = "ERROR gateway timeout" if i % 1000 == 7 else "INFO"
        line = f"2026-03-01T10:{i // 60 % 60:02d}:{i % 60:02d}Z {level} {chance.choice(words)}-{i % 17} "
        line += f"{chance.choice(words)} id={chance.getrandbits(48):x} took {chance.randrange(999)} ms\n"
        lines.append(line)
        total += len(line)
    return "".join(lines).encode()[:size]


def child(*args: str) -> tuple[list[float], str]:
    """Run one measurement in a process of its own; give [ms, MB of memory] and what it said."""
    done = subprocess.run([sys.executable, "-c", CHILD, *args], capture_output=True, text=True, check=True)
    return json.loads(done.stdout), done.stderr.strip()


def cold(command: list[str], runs: int) -> float:
    """Give the median milliseconds of a whole process, after one warm-up."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[1:])


def row(name: str, size: int, folder: str, runs: int) -> str:
    """Measure one size."""
    source = os.path.join(folder, "source")
    with open(source, "wb") as file:
        file.write(log(size))
    puts, handle, path = [], "", ""
    for run in range(runs):
        path = os.path.join(folder, f"{size}-{run}.db")
        figures, handle = child("put", path, source)
        puts.append(figures)
    rest = [
        [child(action, path, handle, QUERY)[0] for _ in range(runs)] for action in ("get", "slice", "query")
    ]
    columns = [puts, *rest]
    times = [statistics.median(figure[0] for figure in column) for column in columns]
    memory = [max(figure[1] for figure in column) for column in (columns[0], columns[3])]
    whole = cold([sys.executable, "-c", CHILD, "query", path, handle, QUERY], runs)
    cells = [*(f"{value:8.1f}" for value in times), f"{whole:8.0f}", *(f"{value:7.0f}" for value in memory)]
    return f"{name:>7} " + " ".join(cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--largest", type=int, default=64, help="skip sizes above so many MB")
    options = parser.parse_args()
    bare = cold([sys.executable, "-c", "pass"], options.runs)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, bare process {bare:.0f} ms")
    print(
        f"{'size':>7} {'put ms':>8} {'get ms':>8} {'slice':>8} {'query':>8} {'cold':>8} {'put MB':>7} {'qry MB':>7}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, size in SIZES.items():
            if size <= options.largest * 1024 * 1024:
                print(row(name, size, folder, options.runs), flush=True)


if __name__ == "__main__":
    main()
