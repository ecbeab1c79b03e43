"""What changes do to rows and index: chains that do not hold together, and that erased means erased."""

import random

import pytest

from caveman_mem import changes
from caveman_mem.errors import BrokenHistory, UnknownMemory


def test_without_a_file_no_fact_has_any_id():
    with pytest.raises(UnknownMemory):
        changes.get(None, "mem_" + "0" * 16)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM memory WHERE text = 'B'",
        "UPDATE memory SET supersedes = NULL WHERE text = 'B'",
        "UPDATE memory SET superseded_by = (SELECT id FROM memory WHERE text = 'A') WHERE text = 'C'",
    ],
    ids=["a version is missing", "a version does not point back", "the history is a circle"],
)
def test_a_broken_chain_is_an_error_and_never_a_part(store, damage):
    a = store.remember("A")
    c = store.supersede(store.supersede(a.id, "B").id, "C")
    with store.files.writing() as database:
        database.execute(damage)
    for member in (a, c):
        with pytest.raises(BrokenHistory):
            store.history(member.id)


@pytest.mark.slow
def test_of_many_facts_forgotten_in_any_order_no_word_is_left_in_any_file(store, everything):
    chosen = random.Random(4)
    words = {}
    for i in range(400):
        word = "".join(chosen.choice("bcdfghkmnprst") for _ in range(12))
        filler = " ".join(
            chosen.choice(["red", "green", "blue", "lamp"]) for _ in range(chosen.choice([2, 20, 900]))
        )
        words[store.remember(f"{word} {filler} {i} end{word}", tags=[word]).id] = word
    order = list(words)
    chosen.shuffle(order)
    while len(order) > 100:
        batch, order = order[:30], order[30:]
        assert store.forget(*batch).erased
        left = everything()
        assert not [words[name] for name in batch if words[name].encode() in left]
        for i in range(5):
            word = "".join(chosen.choice("bcdfghkmnprst") for _ in range(12))
            words[store.remember(f"again {word} {i}").id] = word
    for name in order:
        assert store.get(name).id == name
