"""Sentences about lines left out: each is true when counted again."""

import random
import re

from caveman_engine.compressors.lines import leftout
from caveman_engine.compressors.lines.standouts import digest
from caveman_engine.payload import from_text

RND = random.Random(7)
LINES = [
    f"login user={RND.choice(['root', 'guest', 'eve'])} from 10.0.{RND.randrange(9)}.{RND.randrange(200)} took {n} ms"
    for n in range(300)
]


def said(lines, kept, budget=2000, query=None):
    return list(leftout.sentences(from_text("\n".join(lines)), digest(lines), kept, budget, query))


def test_nothing_is_said_of_templates_without_a_shown_line_or_with_little_left_out():
    assert said(LINES, set()) == []
    assert said(LINES, set(range(297))) == []


def test_counts_are_those_of_the_lines_left_out():
    kept = {0, 5, 6, 7}
    (sentence,) = said(LINES, kept)
    assert sentence.startswith("296 more like line 1; ")
    left = [line for i, line in enumerate(LINES) if i not in kept]
    counts = dict(re.findall(r"(root|guest|eve)×(\d+)", sentence))
    assert {name: int(times) for name, times in counts.items()} == {
        name: sum(f"user={name} " in line for line in left) for name in ("root", "guest", "eve")
    }


def test_the_budget_holds():
    assert said(LINES, {0}, budget=30) == []


def test_a_question_puts_its_template_first():
    others = [f"cache {n} was flushed by the timer" for n in range(500)]
    sentences = said([*others, *LINES], {0, 500}, query="who did login")
    assert "like line 501" in sentences[0]


def test_values_of_a_secret_are_not_repeated():
    lines = [f"set password={('hush', 'hash')[n % 2]} for {n}" for n in range(100)]
    assert not any("hush" in sentence for sentence in said(lines, {0}))
