"""Recall on LoCoMo dialogues: turn and session hit@k, recall@10 and MRR through the public MemoryStore.

    python benchmarks/locomo.py --data ../shared/locomo/locomo_dev.json

Every turn is a fact with its session and date; every question that has evidence is asked. Parameters are those of
the product. The rows below the first switch one part of the search off each.

Source of the data: A. Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", 2024
(CC BY-NC 4.0; not part of this project).
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from caveman_engine import porter, ranking, terms
from caveman_mem import MemoryStore, search

Question = tuple[str, set[str]]
FIGURES = ("turn@1", "turn@5", "turn@10", "R@10", "MRR", "session@1", "session@5", "session@10")
DATA = os.path.join(os.path.dirname(__file__), "..", "..", "shared", "locomo", "locomo_dev.json")


def turns(conversation: dict[str, Any]) -> Iterator[tuple[str, str, str, datetime | None]]:
    """Give (session, evidence id, text, time) of every turn in order."""
    names = [name for name in conversation if re.fullmatch(r"session_\d+", name)]
    for name in sorted(names, key=lambda name: int(name.removeprefix("session_"))):
        try:
            text = conversation.get(name + "_date_time", "").upper()
            start = datetime.strptime(text, "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC)
        except ValueError:
            start = None
        for i, turn in enumerate(conversation[name]):
            caption = " " + turn["blip_caption"] if turn.get("blip_caption") else ""
            at = start + timedelta(seconds=i) if start else None
            yield name, turn["dia_id"], f"{turn['speaker']}: {turn.get('text', '')}{caption}", at


def fill(store: MemoryStore, sample: dict[str, Any]) -> tuple[dict[str, set[str]], list[Question]]:
    """Remember a dialogue; give (evidence ids of each memory id, questions with their known evidence)."""
    turns_of: dict[str, set[str]] = {}
    for session, name, text, at in turns(sample["conversation"]):
        memory = store.remember(text, session=session, at=at, scope=sample["sample_id"])
        turns_of.setdefault(memory.id, set()).add(name)
    known = set().union(*turns_of.values())
    asked = []
    for row in sample["qa"]:
        evidence = {
            found for part in row.get("evidence", []) for found in re.findall(r"D\d+:\d+", part)
        } & known
        if evidence:
            asked.append((row["question"], evidence))
    return turns_of, asked


def session_of(evidence: str) -> str:
    """Give the session that an evidence id such as ``D3:11`` belongs to."""
    return evidence.partition(":")[0]


def figures(ranked: list[set[str]], evidence: set[str]) -> list[float]:
    """Give the figures of one question for the turns as they were ranked."""
    hits = [bool(turn & evidence) for turn in ranked]
    found = set().union(*ranked[:10]) & evidence
    sessions = list(dict.fromkeys(session_of(name) for turn in ranked for name in sorted(turn)))
    wanted = {session_of(name) for name in evidence}
    return [
        *(float(any(hits[:k])) for k in (1, 5, 10)),
        len(found) / len(evidence),
        1 / (hits.index(True) + 1) if any(hits) else 0.0,
        *(float(bool(wanted & set(sessions[:k]))) for k in (1, 5, 10)),
    ]


def measure(samples: list[dict[str, Any]]) -> tuple[int, list[float]]:
    """Give the number of questions and the mean of each figure over all of them."""
    rows: list[list[float]] = []
    for sample in samples:
        with tempfile.TemporaryDirectory() as home, MemoryStore.open(home, counting=False) as store:
            turns_of, asked = fill(store, sample)
            for question, evidence in asked:
                found = store.recall(question, limit=100, budget=0, scope=sample["sample_id"])
                rows.append(figures([turns_of[hit.id] for hit in found.hits], evidence))
    return len(rows), [sum(column) / len(rows) for column in zip(*rows, strict=True)]


@contextmanager
def changed(module: Any, **values: Any) -> Iterator[None]:
    """Set module constants for a while."""
    before = {name: getattr(module, name) for name in values}
    try:
        for name, value in values.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def forget_terms() -> None:
    """Empty the tokeniser's caches, which hold the terms of the variant before."""
    for cache in (terms._exact, terms._indexed, terms._stems, ranking._forms):  # noqa: SLF001
        cache.clear()


NEITHER = {"BEFORE": (0.0, 0.0), "AFTER": (0.0, 0.0), "SESSION": 0.0}
VARIANTS: list[tuple[str, Any, dict[str, Any]]] = [
    ("the product", search, {}),
    ("without stems", porter, {"stem": lambda word: word}),
    ("without the exact form's share", ranking, {"EXACT": 0.0}),
    ("without identifier parts", terms, {"_humps": lambda word: [word]}),
    ("without neighbours", search, {"BEFORE": (0.0, 0.0), "AFTER": (0.0, 0.0)}),
    ("without the session's share", search, {"SESSION": 0.0}),
    ("without any fusion", search, NEITHER),
    ("without the date field", search, {"DATE": 0.0}),
    ("without the discount of questions", search, {"ASKING": 1.0}),
    ("BM25 over words alone", search, {**NEITHER, "DATE": 0.0, "ASKING": 1.0}),
]


def report(samples: list[dict[str, Any]], say: Callable[[str], None]) -> None:
    """Print the table."""
    say(f"| {'variant':34} | " + " | ".join(f"{name:>10}" for name in FIGURES) + " |")
    say(f"|{'-' * 36}|" + "|".join("-" * 11 + ":" for _ in FIGURES) + "|")
    for name, module, values in VARIANTS:
        forget_terms()
        with changed(module, **values):
            questions, means = measure(samples)
        say(f"| {name:34} | " + " | ".join(f"{mean:10.3f}" for mean in means) + " |")
    forget_terms()
    say(f"\n{len(samples)} dialogues, {questions} questions, fixed parameters")


def main() -> None:
    """Read the data and print the table; without the data say so."""
    parser = argparse.ArgumentParser(description="Recall on LoCoMo dialogues.")
    parser.add_argument("--data", default=DATA)
    path = parser.parse_args().data
    if not os.path.exists(path):
        sys.exit(f"no LoCoMo data at {path}: give its place with --data")
    with open(path, encoding="utf-8") as file:
        report(json.load(file), lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
