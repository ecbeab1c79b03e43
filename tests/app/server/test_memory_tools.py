import json
import time

from caveman_engine.tokens import count


def test_a_fresh_home_is_made_private_agt_06(server, home):
    one = server()
    assert one.call("mem_remember", text="Deploys run at nine")[0].startswith("remembered: mem_")
    assert home.stat().st_mode & 0o777 == 0o700
    assert "Deploys run at nine" in one.call("mem_recall", query="when are deploys")[0]


def test_twenty_parallel_calls_store_twenty_facts(server):
    one = server()
    asked = [one.start_call("mem_remember", text=f"parallel fact {n} about depot {n * 7}") for n in range(20)]
    assert not any(one.answer(number)["result"].get("isError") for number in asked)
    assert "fact 13" in one.call("mem_recall", query="depot 91")[0]
    assert one.call("mem_list")[0].count("parallel fact") == 20


def test_a_handle_of_the_memory_is_told_where_it_belongs(one):
    assert "cave_" in one.error("mem_recover", recovery_handle="ccr_" + "1" * 32)


def test_a_life_of_a_fact(server):
    one = server()
    first = one.call("mem_remember", text="The API listens on port 8080", tags=["infra"])[0].split()[1]
    assert one.call("mem_remember", text="The API listens on port 8080")[0].startswith("already known")
    second = one.call("mem_supersede", id=first, text="The API listens on port 9090")[0].split()[-1]
    recalled = one.call("mem_recall", query="port of the API", tags=["infra"])[0]
    assert "9090" in recalled
    assert "8080" not in recalled
    assert "wrong or stale" in recalled
    assert time.strftime("%Y") in recalled
    assert one.call("mem_recover", recovery_handle=second)[0] == "The API listens on port 9090"
    assert "8080" in one.call("mem_history", id=second)[0]
    assert "agent:tester" in one.call("mem_list")[0]
    one.call("mem_forget", id=second)
    assert "cave_unknown_memory" in one.error("mem_history", id=second)


def test_a_list_of_many_facts_goes_on_where_it_stopped(one):
    for n in range(12):
        one.call("mem_remember", text=f"fact {n}: " + " ".join(f"word{n}x{i}" for i in range(600)))
    seen, after = [], None
    while True:
        text, figures = one.call("mem_list", **({"after": after} if after else {}))
        assert count(text) <= 8000
        seen += [line for line in text.splitlines() if line.startswith("fact ")]
        after = json.loads(figures)["next"]
        if after is None:
            break
    assert len(seen) == 12


def test_a_secret_is_refused_and_its_text_is_not_repeated(one):
    secret = "ghp_" + "a1B2c3D4e5" * 4
    text = one.error("mem_remember", text=f"token = {secret}")
    assert "cave_" in text
    assert secret not in text


def test_a_long_history_stays_in_the_bound_and_says_what_it_leaves_out(one):
    last = one.call("mem_remember", text="version 0 of the plan")[0].split()[1]
    for n in range(1, 80):
        last = one.call("mem_supersede", id=last, text=f"version {n} of the plan: " + "detail " * 100)[
            0
        ].split()[-1]
    text, figures = one.call("mem_history", id=last)
    assert count(text) <= 8000
    assert "version 0 of the plan" in text
    assert "version 79 of the plan" in text
    assert json.loads(figures) == {"left_out_after_the_first": 20}
