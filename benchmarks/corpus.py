"""Facts kept against tokens, per type, on a corpus of real files with the facts that must survive.

    python benchmarks/corpus.py --corpus ../shared/corpus [--type logs] [--query] [--max-tokens N] [--misses]
                                [--baseline] [--json]

Without --query each file is compressed once and all its facts are looked for in the view. With it, each fact's
own question is the query of a compression of its own. --baseline also scores head-and-tail, grep for the
question's words, and minified JSON at the same size. Counts are o200k_base (inferred).
"""

import argparse
import json
import pathlib
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from caveman_engine import Engine, RecoveryStore
from caveman_engine.tokens import count


@dataclass
class Row:
    """Sums of one type."""

    files: int = 0
    before: int = 0
    after: int = 0
    kept: int = 0
    facts: int = 0
    seconds: float = 0.0
    size: int = 0
    worst: tuple[float, str] = (2.0, "")
    passed: list[str] = field(default_factory=list)


def manifest(corpus: pathlib.Path, only: str | None) -> Iterator[dict[str, Any]]:
    """Yield the corpus' rows: path, type, facts."""
    with (corpus / "manifest.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if only in (None, row["type"]) or only == row["path"]:
                yield row


def named_kind(row: dict[str, Any]) -> str | None:
    """Name the types that are never detected, as a caller would."""
    if row["type"] == "axtree":
        return "a11y"
    return "toolschema" if row["type"] == "toolschemas" and row["path"].endswith(".json") else None


def is_kept(view: str, fact: dict[str, Any]) -> bool:
    """Tell whether all strings of the answer, or of one other spelling, stand in the view."""
    return any(all(s in view for s in strings) for strings in [fact["answers"], *fact.get("alts", [])])


def baseline(text: str, tokens: int, query: str | None) -> str:
    """Give the plain rival at the same size: matching lines with a query, else head and tail."""
    share = min(1.0, tokens / max(1, count(text)))
    room = int(len(text) * share)
    if query is None:
        return text[: room // 2] + "\n" + text[len(text) - room // 2 :]
    words = re.findall(r"\w{3,}", query.lower())
    lines = [line for line in text.splitlines() if any(word in line.lower() for word in words)]
    return "\n".join(lines)[:room]


def main() -> int:
    """Run and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path("../shared/corpus"))
    parser.add_argument("--type", help="one type, or one file's path")
    parser.add_argument("--query", action="store_true", help="each fact's question as the query")
    parser.add_argument("--max-tokens", type=int)
    parser.add_argument("--misses", action="store_true", help="print each fact that is lost")
    parser.add_argument("--files", action="store_true", help="print a line a file")
    parser.add_argument("--baseline", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not (options.corpus / "manifest.jsonl").exists():
        print(f"no corpus at {options.corpus}", file=sys.stderr)
        return 2
    rows: dict[str, Row] = defaultdict(Row)
    for entry in manifest(options.corpus, options.type):
        score(entry, options, rows)
    if options.json:
        print(json.dumps({name: vars(row) for name, row in sorted(rows.items())}))
    else:
        table(rows)
    return 0


def score(entry: dict[str, Any], options: argparse.Namespace, rows: dict[str, Row]) -> None:
    """Compress one file, once or once a question, and add it up."""
    data = (options.corpus / entry["path"]).read_bytes()
    engine = Engine(RecoveryStore.in_memory())
    kind = named_kind(entry)
    groups = [(fact["q"], [fact]) for fact in entry["facts"]] if options.query else [(None, entry["facts"])]
    file = Row(files=1)
    reason = None
    for query, facts in groups:
        start = time.perf_counter()
        result = engine.compress(data, kind=kind, query=query, max_tokens=options.max_tokens)
        file.seconds += time.perf_counter() - start
        view = result.output.decode("utf-8", "replace")
        if options.baseline:
            view = baseline(data.decode("utf-8", "replace"), result.tokens_after or 0, query)
        reason = result.reason or reason
        file.before += result.tokens_before or 0
        file.after += result.tokens_after or 0
        file.size += len(data)
        for fact in facts:
            file.facts += 1
            hit = is_kept(view, fact)
            file.kept += hit
            if options.misses and not hit:
                print(
                    f"  lost {entry['path']}: {fact['q']} -> {fact['answers']}  [{result.tokens_after} tokens]"
                )
    if options.files:
        share = file.after / max(1, file.before)
        note = reason or f"{result.compressor}/{result.method}"
        sizes = f"{file.before:8} -> {file.after:7} ({share:4.0%})"
        print(f"  {entry['path']:52} {sizes}  {file.kept}/{file.facts}  {file.seconds:5.2f} s  {note}")
    for name in (entry["type"], "all"):
        add(rows[name], file, entry["path"], reason)


def add(row: Row, file: Row, path: str, reason: str | None) -> None:
    """Add a file's sums to a type's."""
    row.files += 1
    for name in ("before", "after", "kept", "facts", "seconds", "size"):
        setattr(row, name, getattr(row, name) + getattr(file, name))
    row.worst = min(row.worst, (file.kept / max(1, file.facts), path))
    if reason:
        row.passed.append(f"{path}: {reason}")


def table(rows: dict[str, Row]) -> None:
    """Print the sums as a Markdown table."""
    print("| type | files | tokens before | after | fewer | facts kept | share | s | MB/s | worst file |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    for name, row in sorted(rows.items(), key=lambda item: (item[0] == "all", item[0])):
        fewer = 1 - row.after / max(1, row.before)
        share = row.kept / max(1, row.facts)
        rate = row.size / 1e6 / max(1e-9, row.seconds)
        print(
            f"| {name} | {row.files} | {row.before:,} | {row.after:,} | {fewer:.1%} "
            f"| {row.kept}/{row.facts} | {share:.1%} "
            f"| {row.seconds:.1f} | {rate:.1f} | {row.worst[1]} {row.worst[0]:.0%} |"
        )
    for line in rows["all"].passed:
        print(f"passed through: {line}")


if __name__ == "__main__":
    sys.exit(main())
