import base64
import json
import os

import pytest

from caveman_engine.tokens import count

LOG = "".join("ERROR disk full\n" if n == 1200 else f"INFO step {n} ok\n" for n in range(1, 2001))


def test_bytes_that_are_no_text_come_back_exactly_as_base64_agt_08(server, home):
    from caveman_engine.recovery import Record, RecoveryStore

    data = b"".join(b"caf\xe9 %d\n" % n if n == 250 else b"INFO step %d ok\n" % n for n in range(500))
    with RecoveryStore.open() as store:
        handle = store.put(Record(content_type="log"), data)
    text, figures = server().call("caveman_retrieve", recovery_handle=handle, max_tokens=0)
    assert json.loads(figures)["encoding"] == "base64"
    assert base64.b64decode(text) == data


def test_the_same_handle_is_answered_in_full_each_time_agt_10(one):
    view, figures = one.call("caveman_compress", input=LOG)
    handle = json.loads(figures)["recovery_handle"]
    assert "ERROR disk full" in view
    assert f"caveman_retrieve {handle}" in view
    for _ in range(3):
        assert one.call("caveman_retrieve", recovery_handle=handle, max_tokens=0)[0] == LOG
    for query, shown in {"step 1": "step 1 ", "step 20": "step 20 ", "disk full": "ERROR disk full"}.items():
        assert shown in one.call("caveman_retrieve", recovery_handle=handle, query=query)[0]
    assert json.loads(one.call("caveman_retrieve", recovery_handle=handle, query="zzqx")[1])["matched"] == 0
    assert one.call("caveman_retrieve", recovery_handle=handle, query=" ", max_tokens=0)[0] == LOG


@pytest.mark.parametrize("form", ["{}", "<<ccr:{}>>", "ccr:{}", "ccr://{}", "  {}\n"])
def test_every_reference_form_resolves(one, form):
    handle = json.loads(one.call("caveman_compress", input=LOG)[1])["recovery_handle"]
    assert one.call("caveman_retrieve", recovery_handle=form.format(handle), max_tokens=0)[0] == LOG


def test_a_selector_gives_its_part_alone(one):
    handle = json.loads(one.call("caveman_compress", input=LOG)[1])["recovery_handle"]
    assert (
        one.call("caveman_retrieve", recovery_handle=handle, selector="line=1199,1200")[0]
        == "ERROR disk full\n"
    )
    assert "cave_selector_not_found" in one.error(
        "caveman_retrieve", recovery_handle=handle, selector="line=9000,9001"
    )


def test_pages_stay_in_their_bound_and_join_to_the_exact_original(one):
    text = "".join(f"Zeile {n}: größer, 大阪, 🙂 {'x' * (n % 50)}\r\n" for n in range(3000))
    handle = json.loads(one.call("caveman_compress", input=text, max_tokens=500)[1])["recovery_handle"]
    assert handle
    parts, offset = [], 0
    while offset is not None:
        part, figures = one.call("caveman_retrieve", recovery_handle=handle, offset=offset)
        assert count(part) <= 8000
        parts.append(part)
        offset = json.loads(figures)["next"]
    assert len(parts) > 3
    assert "".join(parts) == text


def test_an_unknown_handle_fails_with_its_code_and_a_hint(one):
    text = one.error("caveman_retrieve", recovery_handle="ccr_" + "0" * 32)
    assert text.startswith("cave_unknown_handle")
    assert "hint:" in text


def test_a_view_is_never_longer_than_its_bound(one):
    text = "\n".join(f"{n} {os.urandom(20).hex()}" for n in range(2000))
    view, _ = one.call("caveman_compress", input=text, max_tokens=300)
    assert count(view) <= 300


def test_an_input_that_passes_through_is_not_repeated_beyond_the_bound(one):
    view, figures = one.call("caveman_compress", input="\0binary" * 20000)
    assert json.loads(figures)["reason"] == "unknown_type"
    assert count(view) < 100


def test_stats_tell_this_session_from_all_time(server):
    one = server()
    one.call("caveman_compress", input=LOG)
    one.close()
    two = server()
    figures = json.loads(two.call("caveman_stats")[0])
    assert figures["session"]["inputs"] == 0
    assert figures["all_time"]["views"] == 1
    assert figures["all_time"]["tokens_saved"] > 10_000
    assert figures["session"]["catalogue_tokens"] <= 1000
    assert figures["basis"] == "inferred"


def test_toon_goes_there_and_back(one):
    value = {"rows": [{"id": n, "name": f"n{n}"} for n in range(5)]}
    encoded = one.call("caveman_toon_encode", input=json.dumps(value))[0]
    assert json.loads(one.call("caveman_toon_decode", input=encoded)[0]) == value


def test_a_small_view_is_not_grown_to_the_bound(one):
    text = (
        "".join(f"tests/test_{n % 40}.py::test_{n} PASSED [{n % 100:3}%]\n" for n in range(3000))
        + "== 3000 passed in 9.1s ==\n"
    )
    assert count(one.call("caveman_compress", input=text)[0]) < 2000
