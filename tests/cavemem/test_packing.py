"""A reply inside a budget: whole facts, passages with handles, ids, and the names of what did not fit."""

import pytest

from caveman_engine import tokens

LONG = "the valve code is 7. " + "lorem ipsum dolor sit amet " * 900


def test_what_fits_is_shown_whole(store):
    store.remember("the lamp is teal")
    found = store.recall("teal", budget=2000)
    assert found.hits[0].whole
    assert found.hits[0].recovery_handle is None
    assert found.omitted == ()


def test_zero_is_no_limit(store):
    store.remember(LONG)
    found = store.recall("valve code", budget=0)
    assert found.hits[0].text == LONG


def test_mem_62_a_long_best_hit_is_shown_in_part_and_the_short_ones_follow(store):
    for text in (LONG, "the valve is blue", "the code is on page 3"):
        store.remember(text)
    found = store.recall("valve code", budget=500)
    first, *others = found.hits
    assert "the valve code is 7." in first.text
    assert not first.whole
    assert store.recover(first.recovery_handle) == LONG.encode()
    assert first.recovery_handle in found.reply
    assert sorted(hit.text for hit in others) == ["the code is on page 3", "the valve is blue"]
    assert tokens.count(found.reply) <= 500


def test_mem_63_a_tiny_budget_names_the_fact(store):
    memory = store.remember(" ".join(f"w{i}" for i in range(1, 201)))
    found = store.recall("w3", budget=20)
    assert memory.id in found.reply
    assert found.tokens <= 20


def test_mem_64_headers_and_separators_count_too(store):
    for i in range(50):
        store.remember(f"tap {i} " + "word " * 28)
    found = store.recall("tap", limit=50, budget=800)
    assert tokens.count(found.reply) <= 800
    assert len(found.hits) > 5


def test_mem_65_a_flood_is_cut_to_the_default_budget_and_says_how_much_is_left(store):
    for i in range(40):
        store.remember(f"tap {i} " + "word " * 400)
    found = store.recall("tap", limit=40)
    assert tokens.count(found.reply) <= 2000
    assert len(found.hits) + len(found.omitted) == 40
    if found.omitted:
        assert f"{len(found.omitted)} more" in found.reply
    assert len(found.hits) > 15


def test_mem_17_the_passage_that_matched_is_shown_not_the_blind_head(store):
    store.remember("lorem " * 1500 + "zirconium valve")
    (hit,) = store.recall("zirconium", budget=200).hits
    assert "zirconium valve" in hit.text
    assert len(hit.text) < 1000


def test_a_copy_that_cannot_be_kept_leaves_the_id_as_the_way_back(store, monkeypatch):
    monkeypatch.setenv("CAVEMAN_CCR_MAX_BYTES", "10")
    memory = store.remember(LONG)
    (hit,) = store.recall("valve code", budget=300).hits
    assert hit.recovery_handle is None
    assert not hit.whole
    assert f"recover {memory.id}" in store.recall("valve code", budget=300).reply


@pytest.mark.parametrize("budget", [20, 33, 64, 65, 100, 127, 128, 200, 500, 1000])
def test_no_budget_is_ever_passed(store, budget):
    for i in range(12):
        store.remember(f"valve {i} code. " + "lorem ipsum. " * (i * 40) + ("青柠" * i))
    found = store.recall("valve code", limit=12, budget=budget)
    assert tokens.count(found.reply) <= budget
    assert found.hits
