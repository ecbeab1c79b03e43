import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import candidates, ranking


def search(query, units):
    text = "\n".join(units)
    starts, at = [], 0
    for unit in units:
        starts.append(at)
        at += len(unit) + 1
    return candidates.search(
        query, text, starts, [start + len(unit) for start, unit in zip(starts, units, strict=True)]
    )


def found(query, units):
    return [index for _, index in search(query, units).ranked]


def test_nothing_is_found_where_nothing_matches():
    assert search("zzqx unheard", ["a b", "c"]) == candidates.Found([], 0)
    assert search("", ["a b"]) == candidates.Found([], 0)
    assert search("...", ["a b"]) == candidates.Found([], 0)


@pytest.mark.parametrize(
    ("query", "unit"),
    [
        ("queries", "one query more"),
        ("query", "many queries"),
        ("CAFÉ", "the cafe"),
        ("cafe", "le café"),
        ("cafe", "le cafe\u0301 noir"),
        ("configuracao", "configuração do painel"),
        ("fetch data", "def fetchData(x)"),
        ("fetchData", "def fetch_data(x)"),
        ("fetchdata", "def fetch_data(x)"),
        ("7", "step 7 ok"),
        ("缓存服务升级", "缓存服务每晚重启"),
        ("istanbul", "İSTANBUL"),
        ("10.0.0.7", "from 10.0.0.7 to"),
        ("src/app.py", "at src/app.py:12"),
    ],
)
def test_other_forms_of_a_word_are_found(query, unit):
    assert found(query, ["nothing here"] * 3 + [unit] + ["nor there"] * 3) == [3]


def test_a_number_is_whole():
    units = [f"step {i} ok" for i in range(1, 2001)]
    assert found("step 7", units)[0] == 6
    assert found("7", units) == [6]


def test_better_units_come_first_and_ties_stay_in_order():
    assert found("disk full", ["disk ok", "disk full", "log full", "disk ok"]) == [1, 2, 0, 3]


WORDS = st.sampled_from(
    [
        "alpha",
        "Alphabet",
        "beta",
        "running",
        "run",
        "fetchData",
        "fetch_data",
        "café",
        "cafe",
        "7",
        "77",
        "v1.2.3",
        "a/b.py",
        "漢字",
        "漢",
        "ab",
        "ı",
        "İ",
        "Straße",
    ]
)
UNIT = st.lists(WORDS, min_size=0, max_size=5).map(" ".join)


@given(st.lists(UNIT, min_size=1, max_size=70), st.lists(WORDS, min_size=1, max_size=3).map(" ".join))
def test_the_search_finds_what_the_houses_ranking_finds(units, query):
    expected = ranking.relevance(query, units)
    ranked = search(query, units).ranked
    assert {index for _, index in ranked} == {index for index, score in enumerate(expected) if score > 0}


@given(st.text(max_size=60))
def test_folding_keeps_every_character_in_its_place(text):
    assert len(candidates.fold(text)) == len(text)


@given(st.text(max_size=40), st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_any_query_over_any_text_gives_an_answer(query, units):
    result = search(query, units)
    assert result.matched >= len(result.ranked)


def large():
    chance = random.Random(3)
    return [f"INFO worker-{i % 9} took {chance.randrange(1000)} ms for job {i}" for i in range(30_000)]


def test_among_very_many_matches_the_rare_words_decide():
    units = large()
    units[20_000] = "INFO worker-1 gave up on job 20000: zebra"
    result = search("info worker zebra", units)
    assert result.ranked[0][1] == 20_000
    assert result.matched == 30_000
    result = search("job 20000", units)
    assert result.ranked[0][1] == 20_000


def test_short_words_count_where_a_word_begins():
    units = ["kicking the tyre"] * 7000 + ["the king"] + ["in kin"]
    result = search("kin", units)
    assert [index for _, index in result.ranked] == [7001]
    assert search("3", ["x13y"] * 7000 + ["port 3"]).matched == 1


def test_the_answer_does_not_depend_on_hash_seeds():
    code = (
        "from caveman_engine import candidates\n"
        "units=[f'a{i%7} b{i%5} c{i%3} word' for i in range(400)]\n"
        "text='\\n'.join(units); starts=[0]\n"
        "for u in units[:-1]: starts.append(starts[-1]+len(u)+1)\n"
        "print(candidates.search('a1 b2 c0 word', text, starts, [s+len(u) for s,u in zip(starts,units)]))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1
