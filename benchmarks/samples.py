"""Six plain samples with planted facts: what is kept, at how many tokens.

    python benchmarks/samples.py [--peers] [--json]

The samples are made here from fixed seeds: a 2,000-line pytest log with 3 failures; 500 JSON records with one anomaly
and one extra key; a 24-file git diff with a lock file, a rename, a binary and one security-relevant hunk; an HTML page;
1,000 ripgrep hits with one secret-looking line and one error; a 1,000-row CSV with one quoted, negative, non-ASCII row.
With --peers, every known compressor that is installed and reads standard input is run beside ours. Counts are o200k_base
(inferred).
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from caveman_engine import Engine, RecoveryStore
from caveman_engine.tokens import count

# Command lines of packaged peers that read standard input and write a view.
PEERS = {
    "headroom": ["headroom", "compress", "-"],
    "furl": ["furl", "-"],
    "rtk": ["rtk", "log"],
    "kompactor": ["kompactor"],
}


@dataclass(frozen=True)
class Sample:
    """A named input and the strings that a reader would miss."""

    name: str
    text: str
    facts: tuple[str, ...]


def pytest_log(rnd: random.Random) -> Sample:
    """Make a verbose run of 2,000 tests, three of them red."""
    failing = {
        412: "assert 409 == 200",
        1033: "KeyError: 'tenant'",
        1789: "TimeoutError: pool exhausted after 30 s",
    }
    files = ["test_orders", "test_invoices", "test_sessions", "test_search"]
    lines = [
        "=" * 29 + " test session starts " + "=" * 30,
        "platform linux -- Python 3.12.4, pytest-8.3.2, pluggy-1.5.0",
    ]
    lines.append("collected 2000 items\n")
    names = [f"tests/{rnd.choice(files)}.py::test_case_{n}" for n in range(2000)]
    lines += [
        f"{name} {'FAILED' if n in failing else 'PASSED'}  [{n // 20:3}%]" for n, name in enumerate(names)
    ]
    lines += ["", "=" * 35 + " FAILURES " + "=" * 35]
    for n, message in failing.items():
        path = names[n].split("::")[0]
        lines += [
            f"_____ test_case_{n} _____",
            "",
            f"    def test_case_{n}(client):",
            "        reply = client.get('/x')",
        ]
        lines += [
            f">       check(reply, {n})",
            f"E       {message}",
            "",
            f"{path}:{n + 7}: {message.split(':')[0]}",
        ]
    lines.append("=" * 27 + " short test summary info " + "=" * 28)
    lines += [f"FAILED {names[n]} - {message}" for n, message in failing.items()]
    lines.append("=" * 20 + " 3 failed, 1997 passed in 84.31s (0:01:24) " + "=" * 20)
    facts = (*(names[n] for n in failing), *failing.values(), "3 failed, 1997 passed")
    return Sample("pytest log", "\n".join(lines) + "\n", facts)


def json_records(rnd: random.Random) -> Sample:
    """Make 500 orders; one is refused and has a reason, one total is absurd."""
    regions = ["eu-west", "us-east", "ap-south"]
    records = [
        {
            "id": 9000 + n,
            "customer": f"cust-{rnd.randrange(400):04}",
            "region": rnd.choice(regions),
            "status": "shipped",
            "total": f"{rnd.randrange(500, 9000) / 100:.2f}",
            "carrier": "northpost",
            "updated": f"2026-04-{1 + n % 28:02}T08:{n % 60:02}:00Z",
        }
        for n in range(500)
    ]
    records[317] |= {"status": "refused", "reason": "card expired"}
    records[88]["total"] = "-129000.55"
    facts = ("refused", "card expired", "9317", "-129000.55", "northpost", "9499")
    return Sample("JSON records", json.dumps({"orders": records}, indent=2), facts)


def git_diff(rnd: random.Random) -> Sample:
    """Make a diff of 24 files: edits, a lock file, a rename, a binary, one hunk that turns a check off."""
    parts = []
    for n in range(20):
        body = "".join(f" context line {k} of module {n}\n" for k in range(3))
        old, new = f"-    limit = {n + 10}\n", f"+    limit = {n + 20}\n"
        if n == 13:
            old, new = "-    verify_signature(token)\n", "+    # verify_signature(token)\n"
        head = f"diff --git a/src/mod{n}.py b/src/mod{n}.py\nindex {rnd.getrandbits(28):07x}..{rnd.getrandbits(28):07x} 100644\n"
        parts.append(
            f"{head}--- a/src/mod{n}.py\n+++ b/src/mod{n}.py\n@@ -10,7 +10,7 @@ def run():\n{body}{old}{new}{body}"
        )
    lock = "".join(
        f'-    "version": "1.{k}.0",\n+    "version": "1.{k}.1",\n     "integrity": "sha512-{rnd.getrandbits(256):064x}",\n'
        for k in range(400)
    )
    parts.append(
        "diff --git a/package-lock.json b/package-lock.json\n--- a/package-lock.json\n+++ b/package-lock.json\n"
    )
    parts.append(f"@@ -1,800 +1,800 @@\n{lock}")
    parts.append(
        "diff --git a/docs/old.md b/docs/new.md\nsimilarity index 100%\nrename from docs/old.md\nrename to docs/new.md\n"
    )
    parts.append("diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n")
    parts.append("diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n")
    facts = (
        "# verify_signature(token)",
        "package-lock.json",
        "docs/new.md",
        "docs/old.md",
        "logo.png",
        "run.sh",
        "src/mod19.py",
    )
    return Sample("git diff", "".join(parts), facts)


def html_page() -> Sample:
    """Make a page of a shop: scripts, styles, navigation, a table of 40 bills, a form."""
    nav = "".join(
        f'<li class="nav-item"><a class="nav-link" href="/section/{n}">Section {n}</a></li>'
        for n in range(80)
    )
    rows = "".join(
        f'<tr class="row {"odd" if n % 2 else "even"}"><td class="cell">INV-{2000 + n}</td><td class="cell">Customer {n}</td>'
        f'<td class="cell money">{n * 37 % 900}.00 EUR</td><td class="cell">{"overdue" if n == 23 else "paid"}</td></tr>'
        for n in range(40)
    )
    text = (
        "<!doctype html><html><head><title>Bills of March</title><style>" + ".cell{padding:4px 8px;color:#333}" * 400
        + "</style><script>" + "window.metrics=window.metrics||[];metrics.push({t:Date.now()});" * 300
        + f"</script></head><body><nav><ul>{nav}</ul></nav><main><h1>Bills of March</h1><p>Payment is due within 14 days.</p>"
        + f"<table><thead><tr><th>Bill</th><th>Customer</th><th>Amount</th><th>State</th></tr></thead><tbody>{rows}</tbody></table>"
        + '<a href="/invoice/2023/remind">Send a reminder</a><form><label>Note <input name="note"></label></form></main></body></html>'
    )  # fmt: skip
    facts = ("Bills of March", "INV-2023", "overdue", "within 14 days", "/invoice/2023/remind", "INV-2039")
    return Sample("HTML page", text, facts)


def search_hits(rnd: random.Random) -> Sample:
    """Make 1,000 hits over 25 files; one looks like a secret, one is an error."""
    hits = []
    for n in range(1000):
        path = f"services/billing/handlers/handler_{n // 40:02}.go"
        text = f'\tlog.Info(ctx, "charge accepted", "amount", amounts[{rnd.randrange(99)}])'
        if n == 512:
            text = '\tconst fallbackKey = "not-a-real-key-51f2"'
        if n == 777:
            text = '\treturn fmt.Errorf("charge %s: ledger out of balance", id)'
        hits.append(f"{path}:{10 + n % 40 * 7}:{text}")
    facts = (
        "fallbackKey",
        "ledger out of balance",
        "handler_12.go",
        "handler_24.go",
        "handler_00.go",
        "charge accepted",
    )
    return Sample("ripgrep hits", "\n".join(hits) + "\n", facts)


def csv_rows(rnd: random.Random) -> Sample:
    """Make 1,000 bookings; one has a quoted comma, a negative amount and letters beyond ASCII."""
    cities = ["Oslo", "Lima", "Accra", "Perth"]
    rows = ["date,booking,city,nights,amount,currency"]
    rows += [
        f"2026-02-{1 + n % 28:02},{70000 + n},{rnd.choice(cities)},{rnd.randrange(1, 9)},{rnd.randrange(80, 900)}.00,EUR"
        for n in range(1000)
    ]
    rows[641] = '2026-02-24,70640,"Łódź, Śródmieście",3,"-1,240.50",EUR'
    facts = (
        '"Łódź, Śródmieście"',
        '"-1,240.50"',
        "70640",
        "date,booking,city,nights,amount,currency",
        "70999",
        "EUR",
        "70000",
    )
    return Sample("CSV", "\n".join(rows) + "\n", facts)


def samples() -> Iterator[Sample]:
    """Yield the six samples."""
    yield pytest_log(random.Random(1))
    yield json_records(random.Random(2))
    yield git_diff(random.Random(3))
    yield html_page()
    yield search_hits(random.Random(4))
    yield csv_rows(random.Random(5))


def ours(text: str) -> str:
    """Compress with a store in memory."""
    return Engine(RecoveryStore.in_memory()).compress(text).output.decode()


def peer(command: list[str], text: str) -> str | None:
    """Run an installed peer over the text; None when it fails."""
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=120, check=False)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 and done.stdout else None


@dataclass(frozen=True)
class Score:
    """One row of the table."""

    tool: str
    sample: str
    before: int
    after: int
    kept: int
    facts: int
    lost: tuple[str, ...] = ()


def scores(tool: str, command: list[str] | None) -> Iterator[Score]:
    """Yield a row a sample, and their sum, for one tool."""
    rows = []
    for sample in samples():
        view = ours(sample.text) if command is None else peer(command, sample.text) or sample.text
        lost = tuple(fact for fact in sample.facts if fact not in view)
        kept, facts = len(sample.facts) - len(lost), len(sample.facts)
        rows.append(Score(tool, sample.name, count(sample.text), count(view), kept, facts, lost))
    yield from rows
    sums = (sum(getattr(row, name) for row in rows) for name in ("before", "after", "kept", "facts"))
    yield Score(tool, "all", *sums)


def main() -> int:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    peers = {name: command for name, command in PEERS.items() if options.peers and shutil.which(command[0])}
    rows = [row for name, command in ({"caveman": None} | peers).items() for row in scores(name, command)]
    if options.json:
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    print("| tool | sample | tokens | after | fewer | facts | lost |\n|---|---|--:|--:|--:|--:|---|")
    for row in rows:
        cells = (
            f"{row.before:,}",
            f"{row.after:,}",
            f"{1 - row.after / row.before:.1%}",
            f"{row.kept}/{row.facts}",
        )
        print(f"| {row.tool} | {row.sample} | {' | '.join(cells)} | {'; '.join(row.lost)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
