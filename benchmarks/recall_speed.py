"""Speed of the memory: cold and warm recall, remember, bulk writing, file size and memory, by number of facts.

    python benchmarks/recall_speed.py [--largest 1000000]

Cold is the whole installed command; each row stands beside bare ``python -c pass`` measured in the same run, because
machines differ and loads change. Medians.
"""

import argparse
import itertools
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from caveman_mem import MemoryStore

QUERIES = ("which port does service 57 listen on", "what reports to kimi", "listening services")
SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
RUNS = 21
CHILD_PEAK = (
    "import os, subprocess, sys, resource; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
)


def facts(count: int) -> Iterator[str]:
    """Make up facts of about fifteen words from four thousand."""
    chosen = random.Random(8)
    words = [
        "".join(
            chosen.choice("bcdfghklmnprst") + chosen.choice("aeiou") for _ in range(chosen.randrange(2, 5))
        )
        for _ in range(4000)
    ]
    for i in range(count):
        a, b, c, d = (chosen.choice(words) for _ in range(4))
        yield f"{a} {b} service {i} listens on port {chosen.randrange(1000, 60000)} in {c} and reports to {d}"


def milliseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Give the median time of some work, after one run that warms the disk."""
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def command(home: str, *words: str) -> Callable[[], object]:
    """Give the work of running the installed command in a home."""
    program = os.path.join(os.path.dirname(sys.executable), "caveman")
    environment = {**os.environ, "CAVEMAN_HOME": home}
    return lambda: subprocess.run([program, "mem", *words], env=environment, capture_output=True, check=True)


def remember_another(home: str) -> Callable[[], object]:
    """Give the work of remembering one more new fact by the command."""
    numbers = itertools.count()

    def work() -> object:
        return command(home, "remember", "one", "more", "fact", str(next(numbers)))()

    return work


def peak(home: str) -> int:
    """Give the peak memory in MiB of one cold recall."""
    program = os.path.join(os.path.dirname(sys.executable), "caveman")
    words = [sys.executable, "-c", CHILD_PEAK, program, "mem", "recall", *QUERIES[0].split()]
    done = subprocess.run(
        words, env={**os.environ, "CAVEMAN_HOME": home}, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def row(count: int) -> str:
    """Measure one number of facts and give its line of the table."""
    with tempfile.TemporaryDirectory() as home:
        with MemoryStore.open(home) as store:
            start = time.perf_counter()
            store.remember_many(facts(count))
            rate = count / (time.perf_counter() - start)
        bare = milliseconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        cold = statistics.mean(milliseconds(command(home, "recall", *query.split())) for query in QUERIES)
        with MemoryStore.open(home, counting=False) as store:
            warm = statistics.mean(milliseconds(lambda query=query: store.recall(query)) for query in QUERIES)  # type: ignore[misc]
        write = milliseconds(remember_another(home))
        size = os.path.getsize(os.path.join(home, "mem", "mem.db")) / 2**20
        return (
            f"| {count:9,} | {bare:6.1f} | {cold:6.1f} | {cold / bare:5.2f} | {warm:6.2f} | {write:6.1f} | "
            f"{write / bare:5.2f} | {rate:9,.0f} | {size:8.1f} | {peak(home):5} |"
        )


def main() -> None:
    """Print the table, one line as soon as it is measured."""
    parser = argparse.ArgumentParser(description="Speed of the memory.")
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    largest = parser.parse_args().largest
    names = (
        "facts",
        "bare ms",
        "cold ms",
        "x bare",
        "warm ms",
        "remember ms",
        "x bare",
        "facts/s",
        "file MiB",
        "RSS MiB",
    )
    print("| " + " | ".join(names) + " |\n|" + "---:|" * len(names))
    for count in SIZES:
        if count <= largest:
            print(row(count), flush=True)
    print(f"\nthis process at its peak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    main()
