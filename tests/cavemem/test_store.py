"""The verbs of a fact's life, as a program uses them."""

import contextlib
import threading
from datetime import UTC, datetime

import pytest

from caveman_engine.errors import StoreTrouble, UnknownHandle, UsageError
from caveman_mem import MemoryStore
from caveman_mem.errors import (
    AlreadyCurrent,
    BadLabel,
    BlankMemory,
    BudgetTooSmall,
    InexactForget,
    MemoryTooLarge,
    NotCurrent,
    NotText,
    OwnOutput,
    SecretFound,
    UnknownMemory,
)

HOUR = 3_600_000_000_000
LONG = "the valve code is 7. " + "lorem ipsum dolor sit amet " * 900


@pytest.mark.parametrize(
    "verb", ["recall", "list", "history", "recover", "supersede", "forget", "edit", "backup"]
)
def test_reading_or_changing_an_empty_home_makes_no_file(store, home, verb):
    arguments = {"recall": ["x"], "list": [], "supersede": ["mem_" + "0" * 16, "y"], "backup": ["b"]}
    with contextlib.suppress(UnknownMemory, StoreTrouble):
        getattr(store, verb)(*arguments.get(verb, ["mem_" + "0" * 16]))
    assert not home.exists()


# Remember


def test_mem_38_a_repeat_is_the_same_fact(store):
    first = store.remember("port is 8081")
    again = store.remember("port is 8081")
    assert not first.already_known
    assert again.already_known
    assert (again.id, again.created_at) == (first.id, first.created_at)
    assert len(store.list()) == 1


@pytest.mark.parametrize(
    "spellings",
    [
        pytest.param(["caf\u00e9 opens at 8", "cafe\u0301 opens at 8"], id="mem-23 composed and decomposed"),
        pytest.param(["use tabs", "use  tabs", "use tabs\n"], id="mem-24 white space"),
        pytest.param(
            ["use tabs here", "use\u00a0tabs here", " use\ttabs here "], id="mem-24b other white space"
        ),
    ],
)
def test_spellings_of_one_text_are_one_fact(store, spellings):
    memories = [store.remember(text) for text in spellings]
    assert len({memory.id for memory in memories}) == 1
    assert [memory.already_known for memory in memories] == [False] + [True] * (len(spellings) - 1)
    assert [memory.text for memory in store.list()] == spellings[:1]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\ntitle: x\n---\nbody\n", id="mem-48"),
        *(
            pytest.param(text, id=f"mem-48b {text}")
            for text in ["--help", "-v", "@notes.txt", '{"text": 1}', "# heading"]
        ),
        *(pytest.param(text, id=f"mem-59 {text}") for text in ["ok", "x", "🚀"]),
        "NUL \0 inside",
        "\ufeffmark",
        "a\r\nb\rc",
    ],
)
def test_the_text_is_kept_as_given(store, text):
    memory = store.remember(text)
    assert [entry.text for entry in store.list()] == [text]
    assert store.recover(memory.id) == text.encode()


@pytest.mark.parametrize(
    ("text", "error"),
    [("", BlankMemory), (" \n\t", BlankMemory), ("<private>x</private>", BlankMemory), ("\ud800", NotText)],
)
def test_what_is_no_fact_is_refused(store, home, text, error):
    with pytest.raises(error):
        store.remember(text)
    assert not home.exists()


def test_mem_61_the_limit_is_256_kib(store):
    store.remember("a" * 262_144)
    with pytest.raises(MemoryTooLarge) as caught:
        store.remember("a" * 262_145)
    assert (caught.value.code, caught.value.exit_status) == ("cave_memory_too_large", 65)
    assert [len(memory.text) for memory in store.list()] == [262_144]


def test_mem_46_the_same_text_in_two_scopes_is_two_facts(store):
    one, other = store.remember("use tabs", scope="a"), store.remember("use tabs", scope="b")
    assert one.id != other.id
    store.forget(one.id)
    assert [memory.id for memory in store.list(scope="b")] == [other.id]
    assert store.list(scope="a") == []


def test_mem_50_a_free_kind_and_tag_are_kept_exactly(store):
    memory = store.remember("red", kind="ruling-x", tags=["ruling-x", "ä b", "ruling-x"])
    assert (memory.kind, memory.tags) == ("ruling-x", ("ruling-x", "ä b"))


def test_at_sets_the_time_and_needs_a_zone(store):
    at = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
    memory = store.remember("red", at=at)
    assert memory.created_at == memory.valid_from == 1_714_979_289_123_456_000
    with pytest.raises(UsageError):
        store.remember("green", at=datetime(2024, 5, 6))


def test_mem_56_the_tools_own_reply_is_no_new_fact(store):
    store.remember("the lamp is teal")
    with pytest.raises(OwnOutput, match="own reply"):
        store.remember(store.recall("teal").reply)
    assert len(store.list()) == 1


def test_remember_many_is_one_transaction_that_counts_what_is_new(store):
    assert store.remember_many(["one", "two", "one ", "three"]) == (3, 1)
    with pytest.raises(BlankMemory):
        store.remember_many(["four", " "])
    assert [memory.text for memory in store.list()] == ["one", "two", "three"]
    assert all(memory.tokens == 1 for memory in store.list())


def test_mem_52_nothing_is_tidied_by_time(store, clock):
    store.remember_many(f"fact {i}" for i in range(100))
    clock.now += 90 * 24 * HOUR
    for _ in range(20):
        store.recall("fact")
        assert len(store.list()) == 100


# Secrets


def test_mem_57_a_private_part_reaches_no_file(store, everything):
    store.remember("<private>hunter-7731</private> the port is 8080")
    assert [memory.text for memory in store.list()] == ["the port is 8080"]
    assert b"hunter-7731" not in everything() + "".join(store.export()).encode()


def test_a_refused_secret_reaches_no_file(store, home):
    with pytest.raises(SecretFound):
        store.remember("token is ghp_" + "a" * 36)
    assert not home.exists()


def test_a_masked_secret_is_stored_without_itself(store, everything):
    memory = store.remember("token is ghp_" + "a" * 36, secrets="mask")
    assert memory.text == "token is [masked: github-token]"
    assert b"a" * 36 not in everything()


def test_a_secret_in_a_tag_is_refused_whatever_the_mask(store):
    with pytest.raises(SecretFound):
        store.remember("red", tags=["ghp_" + "a" * 36], secrets="mask")


@pytest.mark.parametrize("label", ["tags", "kind"])
def test_an_edit_refuses_the_secrets_that_remember_refuses(store, label):
    memory = store.remember("red")
    secret = "ghp_" + "a" * 36
    with pytest.raises(SecretFound):
        store.edit(memory.id, **{label: [secret] if label == "tags" else secret})


def test_a_secret_in_a_scope_is_refused(store):
    with pytest.raises(SecretFound):
        store.remember("red", scope="ghp_" + "a" * 36)


@pytest.mark.parametrize("label", ["scope", "kind", "source", "session", "tags"])
@pytest.mark.parametrize(
    "word", ["a]\n[mem_0000000000000000", "a\u2028b", "a\0b", "\ud800", "<private>x</private>", "x" * 2001]
)
def test_what_stands_beside_a_text_is_a_short_line_without_private_parts(store, label, word):
    with pytest.raises(BadLabel):
        store.remember("red", **{label: [word] if label == "tags" else word})
    assert store.list(all_scopes=True) == []


def test_letters_of_every_script_may_stand_beside_a_text(store):
    assert (
        store.remember(
            "red", tags=["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "👩\u200d💻"], kind="a\u3000b"
        ).kind
        == "a\u3000b"
    )


def test_an_allowed_secret_is_stored_as_it_stands(store):
    text = "token is ghp_" + "a" * 36
    assert store.remember(text, secrets="allow").text == text


# Supersede and history


def test_mem_40_a_value_can_come_back(store):
    a = store.remember("A")
    b = store.supersede(a.id, "B")
    c = store.supersede(b.id, "A")
    assert [memory.text for memory in store.list()] == ["A"]
    assert c.id != a.id
    assert c.occurrence == 1
    for member in (a, b, c):
        assert [memory.text for memory in store.history(member.id)] == ["A", "B", "A"]


def test_mem_42_a_superseded_fact_is_not_recalled(store, texts):
    old = store.remember("the office is in Berlin")
    store.supersede(old.id, "the office is in Lisbon")
    assert texts("Berlin office") == ["the office is in Lisbon"]
    assert [memory.text for memory in store.history(old.id)] == [
        "the office is in Berlin",
        "the office is in Lisbon",
    ]


def test_what_was_believed_then_is_found_by_as_of(store, texts, clock):
    old = store.remember("the office is in Berlin")
    clock.now += HOUR
    then = datetime.fromtimestamp(clock.now // 10**9, UTC)
    clock.now += HOUR
    store.supersede(old.id, "the office is in Lisbon")
    assert texts("office", as_of=then) == ["the office is in Berlin"]
    assert [memory.text for memory in store.list(as_of=then)] == ["the office is in Berlin"]
    assert texts("office") == ["the office is in Lisbon"]


def test_mem_47_a_stale_change_is_refused_and_names_the_current_one(store):
    first = store.remember("v1")
    second = store.supersede(first.id, "v2")
    with pytest.raises(NotCurrent) as caught:
        store.supersede(first.id, "v3")
    assert first.id in str(caught.value)
    assert second.id in str(caught.value)
    assert [memory.text for memory in store.history(first.id)] == ["v1", "v2"]
    assert [memory.text for memory in store.list(superseded=True)] == ["v1", "v2"]


def test_mem_41_a_forgotten_fact_cannot_be_superseded(store):
    memory = store.remember("x is 1")
    store.forget(memory.id)
    with pytest.raises(UnknownMemory):
        store.supersede(memory.id, "y")
    assert store.list() == []


def test_superseding_by_the_same_text_changes_nothing(store):
    memory = store.remember("use tabs")
    again = store.supersede(memory.id, "use  tabs")
    assert again.already_known
    assert again.id == memory.id


def test_superseding_by_another_current_fact_is_refused(store):
    one, other = store.remember("red"), store.remember("green")
    with pytest.raises(AlreadyCurrent, match=other.id):
        store.supersede(one.id, "green")
    assert len(store.list()) == 2


def test_an_expired_fact_cannot_be_superseded(store, clock):
    memory = store.remember("the office is in Berlin")
    store.edit(memory.id, expires="2026-03-04T05:00:00Z")
    clock.now += HOUR
    with pytest.raises(NotCurrent):
        store.supersede(memory.id, "the office is in Lisbon")


def test_a_version_inherits_what_stands_beside_the_text(store):
    memory = store.remember("v1", scope="p", tags=["t"], kind="k")
    store.edit(memory.id, pinned=True)
    new = store.supersede(memory.id, "v2")
    assert (new.scope, new.tags, new.kind, new.pinned) == ("p", ("t",), "k", True)


# Forget


@pytest.mark.parametrize("text", ["pin is 4711 zirkonfeld", LONG + "zirkonfeld"], ids=["short", "long"])
def test_a_forgotten_text_is_in_no_file(store, home, everything, text):
    for i in range(50):
        store.remember(f"filler number {i}")
    memory = store.remember(text, tags=["zirkonfeld-tag"])
    store.recall("valve code zirkonfeld", budget=300)
    assert b"zirkonfeld" in everything()
    done = store.forget(memory.id)
    assert done.ids == (memory.id,)
    assert done.erased
    assert b"zirkonfeld" not in everything()
    assert len(store.list()) == 50
    assert store.doctor()[3].ok


def test_mem_43_no_verb_shows_a_forgotten_text(store, texts):
    memory = store.remember("pin is 4711")
    store.forget(memory.id)
    assert texts("pin") == []
    for verb in (store.history, store.recover, store.get, store.forget):
        with pytest.raises(UnknownMemory):
            verb(memory.id)


def test_mem_39_a_forgotten_text_can_come_back(store, texts):
    memory = store.remember("x is 1")
    store.forget(memory.id)
    again = store.remember("x is 1")
    assert again.id == memory.id
    assert not again.already_known
    assert texts("x is 1") == ["x is 1"]


def test_forgetting_several_is_all_or_nothing(store):
    memory = store.remember("red")
    with pytest.raises(UnknownMemory):
        store.forget(memory.id, "mem_" + "0" * 16)
    assert len(store.list()) == 1


def test_mem_45_forgetting_by_text_takes_no_neighbour(store):
    memories = [store.remember(f"deploy key for {place}") for place in ("staging", "production")]
    with pytest.raises(InexactForget) as caught:
        store.forget_text("deploy key")
    assert all(memory.id in str(caught.value) for memory in memories)
    assert len(store.list()) == 2
    assert store.forget_text(" deploy  key for staging").ids == (memories[0].id,)


def chain(store, *texts):
    memories = [store.remember(texts[0])]
    for text in texts[1:]:
        memories.append(store.supersede(memories[-1].id, text))
    return memories


def test_forgetting_in_the_middle_joins_the_neighbours(store):
    a, b, c = chain(store, "A", "B", "C")
    done = store.forget(b.id)
    assert done.current_again == ()
    assert [memory.text for memory in store.history(a.id)] == ["A", "C"]
    assert [memory.text for memory in store.list()] == ["C"]
    assert store.history(c.id)[0].valid_until == c.valid_from


def test_forgetting_the_newest_lets_its_predecessor_hold_again(store, texts):
    a, b = chain(store, "the office is in Berlin", "the office is in Lisbon")
    assert store.forget(b.id).current_again == (a.id,)
    assert texts("office") == ["the office is in Berlin"]


def test_an_expired_predecessor_does_not_come_back(store, texts):
    a = store.remember("the office is in Berlin")
    store.edit(a.id, expires="2020-01-01")
    b = store.supersede(store.remember("the office is in Porto").id, "the office is in Lisbon")
    store.edit(store.history(b.id)[0].id, expires="2020-01-01")
    assert store.forget(b.id).current_again == ()
    assert texts("office") == []


def test_a_predecessor_that_was_remembered_anew_does_not_come_back_twice(store):
    _, b = chain(store, "A", "B")
    store.remember("A")
    assert store.forget(b.id).current_again == ()
    assert [memory.text for memory in store.list()] == ["A"]


def test_forgetting_the_chain_takes_all_versions(store, everything):
    _, b, _ = chain(store, "zirkon one", "zirkon two", "zirkon three")
    assert len(store.forget(b.id, chain=True).ids) == 3
    assert store.list(superseded=True) == []
    assert b"zirkon" not in everything()


def test_after_the_last_row_of_a_text_numbering_starts_again(store):
    a, _, again = chain(store, "A", "B", "A")
    store.forget(a.id)
    assert store.supersede(again.id, "C").id
    assert store.remember("A").occurrence == 2
    store.forget(*[memory.id for memory in store.list(superseded=True)])
    assert store.remember("A").id == a.id


def test_a_copy_that_another_fact_needs_stays(store):
    one, other = store.remember(LONG, scope="a"), store.remember(LONG, scope="b")
    handle = store.recall("valve code", scope="a", budget=300).hits[0].recovery_handle
    assert store.forget(one.id).copies == 0
    assert store.recover(handle) == LONG.encode()
    assert store.forget(other.id).copies == 1
    with pytest.raises(UnknownHandle):
        store.recover(handle)


# Edit


def test_mem_54_an_edit_keeps_the_time_of_creation(store, clock, texts):
    memory = store.remember("x is 1", tags=["a"])
    clock.now += HOUR
    edited = store.edit(memory.id, tags=["b"], kind="k", pinned=True)
    assert (edited.created_at, edited.tags, edited.kind, edited.pinned) == (
        memory.created_at,
        ("b",),
        "k",
        True,
    )
    assert texts("x", tags=["b"]) == ["x is 1"]
    assert texts("x", tags=["a"]) == []
    assert store.edit(memory.id, tags=[], kind="").tags == ()
    assert store.get(memory.id).kind is None


def test_an_expired_fact_is_not_recalled_and_can_be_remembered_anew(store, clock, texts):
    memory = store.remember("the sale is on")
    store.edit(memory.id, expires="2026-03-04T05:00:00Z")
    assert texts("sale") == ["the sale is on"]
    clock.now += HOUR
    assert texts("sale") == []
    assert store.list() == []
    assert store.remember("the sale is on").occurrence == 1
    assert store.edit(memory.id, expires="never").expires_at is None


# Recall as a whole


def test_mem_44_the_id_that_recall_gives_is_good_for_every_verb(store):
    store.remember("the lamp is teal")
    hit = store.recall("teal").hits[0]
    assert store.history(hit.id)[0].text == hit.text
    assert store.recover(hit.id) == b"the lamp is teal"
    new = store.supersede(hit.id, "the lamp is red")
    assert store.forget(new.id, chain=True).ids


def test_mem_55_yesterday_is_a_day_of_the_users_zone(store, clock, texts, monkeypatch):
    import time
    from zoneinfo import ZoneInfo

    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    zone = ZoneInfo("America/New_York")
    store.remember("late note", at=datetime(2026, 3, 3, 23, 30, tzinfo=zone))
    store.remember("early note", at=datetime(2026, 3, 4, 0, 30, tzinfo=zone))
    clock.now = int(datetime(2026, 3, 4, 12, tzinfo=zone).timestamp()) * 10**9
    assert texts("note", since="yesterday", until="yesterday") == ["late note"]
    assert texts("note", since="2026-03-03", until="2026-03-03") == ["late note"]
    assert [memory.text for memory in store.list(since="today")] == ["early note"]
    monkeypatch.undo()
    time.tzset()


def test_mem_66_a_limit_has_a_ceiling_and_says_so(store):
    for i in range(3):
        store.remember(f"tap {i}")
    found = store.recall("tap", limit=1_000_000_000)
    assert len(found.hits) == 3
    assert "100" in found.note
    with pytest.raises(UsageError):
        store.recall("tap", limit=0)


def test_the_whole_reply_is_counted_and_a_budget_too_small_says_what_would_do(store):
    from caveman_engine import tokens

    for i in range(30):
        store.remember(f"tap {i} " + "word " * 28)
    for budget in (20, 50, 100, 300, 800):
        found = store.recall("tap", limit=30, budget=budget)
        assert tokens.count(found.reply) == found.tokens <= budget
        assert found.hits
        assert len(found.hits) + len(found.omitted) == 30
    with pytest.raises(BudgetTooSmall):
        store.recall("tap", budget=3)


def test_list_pages_by_id_and_has_no_limit_of_its_own(store):
    store.remember_many(f"fact {i}" for i in range(300))
    everything = store.list()
    assert len(everything) == 300
    assert store.list(limit=10, after=everything[9].id) == everything[10:20]
    assert store.list(newest=True, limit=2) == everything[:-3:-1]


def test_threads_share_one_store(store):
    def write(name):
        for i in range(20):
            store.remember(f"thread {name} fact {i}")
            store.recall(f"thread {name}")

    threads = [threading.Thread(target=write, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.list()) == 120


def test_mem_32_two_open_stores_see_each_others_writes(store):
    with MemoryStore.open() as other:
        assert other.list() == []
        store.remember("two")
        other.remember("one")
        assert [m.text for m in store.list()] == [m.text for m in other.list()] == ["two", "one"]
