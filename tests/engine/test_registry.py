"""What every compressor promises, from the registry and not by hand."""

import hashlib
import json
import random
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveman_engine import Engine, RecoveryStore, payload
from caveman_engine.choice import is_honest
from caveman_engine.registry import BY_NAME, COMPRESSORS
from caveman_engine.tokens import count
from caveman_engine.views import Request

NAMES = list(BY_NAME)


def samples():
    """One plausible input a type, made here from a fixed seed."""
    rnd = random.Random(5)
    words = ["cart", "ledger", "mailer", "index", "edge", "valve", "lamp", "harbour"]
    records = [{"id": n, "name": rnd.choice(words), "status": "ok", "total": n * 7 % 90} for n in range(400)]
    records[317] |= {"status": "refused", "reason": "limit"}
    tree = [
        {"nodeId": str(n), "role": {"value": "button" if n else "RootWebArea"}, "name": {"value": f"Go {n}"},
         "childIds": [str(k) for k in range(1, 90)] if n == 0 else [], "ignored": False}
        for n in range(90)
    ]  # fmt: skip
    tools = [
        {"name": f"tool_{n}", "description": f"Does thing {n}. " * 8,
         "inputSchema": {"type": "object", "title": "T", "properties": {"path": {"type": "string", "title": "Path"}}}}
        for n in range(30)
    ]  # fmt: skip
    log = "".join(
        f"2026-03-01T10:{n // 60 % 60:02}:{n % 60:02}Z INFO {rnd.choice(words)} req={rnd.getrandbits(64):016x} ok\n"
        for n in range(900)
    )
    text = "\n\n".join(
        f"## Part {n}\n\n"
        + " ".join(f"The {rnd.choice(words)} number {rnd.randrange(99)} is at {k}." for k in range(9))
        for n in range(30)
    )
    return {
        "json": json.dumps(records, indent=2),
        "diff": "".join(
            f"diff --git a/f{n}.py b/f{n}.py\n--- a/f{n}.py\n+++ b/f{n}.py\n@@ -1,7 +1,7 @@\n"
            + " same\n same\n same\n-old\n+new\n same\n same\n same\n"
            for n in range(40)
        ),
        "search-result": "".join(f"src/pkg/mod{n % 9}.py:{n}:    value_{n} = call({n})\n" for n in range(400)),
        "terminal": "collected 900 items\n"
        + "".join(f"tests/t.py::test_{n} PASSED\n" for n in range(900))
        + "E   assert 1 == 0\nFAILED tests/t.py::test_x - assert 1 == 0\n=== 1 failed, 900 passed in 2.0s ===\n",
        "log": log,
        "html": "<!doctype html><html><head><title>Bills</title><script>" + "var a=1;" * 400 + "</script></head><body><nav>"
        + "".join(f'<a href="/p{n}">Page {n}</a>' for n in range(60)) + "</nav><main><h1>Bills</h1><table>"
        + "".join(f"<tr><td>c-{n}</td><td>{n}</td></tr>" for n in range(40)) + "</table></main></body></html>",
        "tabular": "date,id,city,amount\n" + "".join(f"2026-10-01,{n},{rnd.choice(words)},9.50\n" for n in range(600)),
        "config": "jobs:\n" + "".join(f"  job-{n}:\n    timeout: {80 + (n == 7)}\n    image: base\n" for n in range(300)),
        "code": "import os\n\n\n" + "".join(
            f"def {rnd.choice(words)}_{n}(x):\n    '''Give {n}.'''\n" + "    x = x + 1\n" * 12 + "    return x\n\n\n"
            for n in range(40)
        ),
        "text": text,
        "toolschema": json.dumps({"tools": tools}),
        "toolschema-annotations": json.dumps({"tools": tools}),
        "toon": json.dumps(records[:100]),
        "a11y": json.dumps({"nodes": tree}),
        "documents": f'<file path="a">\n{log}</file>\n<file path="b">\n{log}</file>\n',
        "repetition": "waiting for the lock\n" * 500 + "done\n",
    }  # fmt: skip


SAMPLES = samples()


def engine():
    return Engine(RecoveryStore.in_memory())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", [b"", b" ", b"ok\n", b"one\ntwo\n", "漢字\n".encode()], ids=repr)
def test_a_tiny_input_is_unchanged(name, data):
    result = engine().compress(data, kind=name)
    assert (result.output, result.recovery_handle, result.reason) == (data, None, "too_small")


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_shrinks_and_comes_back(name):
    data = SAMPLES[name].encode()
    box = engine()
    result = box.compress(data, kind=name)
    assert result.reason is None
    assert result.tokens_after < result.tokens_before
    assert result.tokens_after == count(result.output.decode())
    assert box.retrieve(result.recovery_handle) == data


@pytest.mark.parametrize("name", NAMES)
def test_compressing_a_view_changes_nothing_cmp_02(name):
    view = engine().compress(SAMPLES[name], kind=name).output
    again = engine().compress(view)
    assert (again.output, again.reason) == (view, "own_output")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("query", [None, "cart 317"], ids=["no query", "query"])
def test_every_candidate_view_is_honest(name, query):
    look = payload.parse(SAMPLES[name].encode())
    views = list(BY_NAME[name].views(look, Request(query, 3000)))
    assert views
    assert all(is_honest(view) for view in views)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bound", [400, 1500])
def test_a_bound_in_tokens_holds_or_the_smallest_view_is_given(name, bound):
    result = engine().compress(SAMPLES[name], kind=name, max_tokens=bound)
    if name not in ("toolschema", "toolschema-annotations", "toon", "repetition"):
        assert result.tokens_after <= bound


@pytest.mark.parametrize("name", NAMES)
def test_without_a_store_only_lossless_views_and_no_handle_cmp_10(name):
    result = Engine().compress(SAMPLES[name], kind=name)
    assert result.recovery_handle is None
    assert result.lossless


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(st.binary(max_size=600), st.text(max_size=600).map(str.encode)), query=st.text(max_size=20)
)
def test_any_bytes_pass_or_come_back(name, data, query):
    check_any(name, data * 3, query)


@pytest.mark.parametrize("name", NAMES)
def test_a_mutilated_sample_passes_or_comes_back(name):
    rnd = random.Random(name)
    data = SAMPLES[name].encode()
    for _ in range(12):
        broken = bytearray(data)
        for _ in range(rnd.randrange(1, 30)):
            at = rnd.randrange(len(broken))
            what = rnd.randrange(4)
            if what == 0:
                broken[at] = rnd.randrange(256)
            elif what == 1:
                del broken[at : at + rnd.randrange(200)]
            elif what == 2:
                broken[at:at] = rnd.choice(
                    [b"\r\n", b"\x00", b"[caveman: 3 lines, 1-3]\n", b"\xff\xfe", b"{", b'"', b"\n" * 9]
                )
            else:
                cut = rnd.randrange(len(broken))
                broken[at:at] = broken[cut : cut + 300]
            broken = broken or bytearray(b"x")
        check_any(name, bytes(broken), rnd.choice([None, "cart", "error limit"]))


def check_any(name, data, query):
    box = engine()
    result = box.compress(data, kind=name, query=query)
    if result.reason:
        assert result.output == data
        assert result.recovery_handle is None
    else:
        assert result.tokens_after < result.tokens_before
        assert box.retrieve(result.recovery_handle) == data
        view = result.output.decode()
        view.encode()
    for found in BY_NAME[name].views(payload.parse(data), Request(query, 2000, hard=True)):
        assert is_honest(found), found


ODD = {
    "mixed line ends": ("line one\r\nline two\nline three\r" * 200).encode(),
    "no final newline": b"\n".join(b"row %d" % n for n in range(500)),
    "byte order mark": b"\xef\xbb\xbf" + SAMPLES["tabular"].encode(),
    "utf-16": SAMPLES["log"].encode("utf-16"),
    "latin-1": ("Füße und Öl sind größer als Äpfel; " * 200).encode("latin-1"),
    "one line of 1 MB": b"word " * 200_000,
    "deep JSON": b"[" * 100_000 + b"]" * 100_000,
    "deep JSON object": b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "a NUL": b"text\x00more\n" * 300,
    "only spaces": b" " * 300_000,
    "only line ends": b"\n" * 50_000,
    "CJK without line ends cmp-52": "漢字".encode() * 5000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("odd", ODD)
def test_an_odd_input_passes_or_comes_back(name, odd):
    check_any(name, ODD[odd], None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "77"])
def test_views_are_the_same_in_every_process_and_hash_seed_cmp_62(seed):
    code = (
        "import sys,json,hashlib\nfrom caveman_engine import Engine, RecoveryStore\n"
        "for name, text in json.load(sys.stdin).items():\n"
        "  for q in (None, 'cart 317'):\n"
        "    r = Engine(RecoveryStore.in_memory()).compress(text, kind=name, query=q)\n"
        "    print(name, q, hashlib.sha256(r.output).hexdigest())\n"
    )
    child = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(SAMPLES), text=True, capture_output=True, check=True,
        env={"PYTHONHASHSEED": seed, "PATH": ""},
    )  # fmt: skip
    here = [
        f"{name} {query} {hashlib.sha256(engine().compress(text, kind=name, query=query).output).hexdigest()}"
        for name, text in SAMPLES.items()
        for query in (None, "cart 317")
    ]
    assert child.stdout.splitlines() == here


def test_the_order_and_names_of_the_registry_are_the_specs():
    assert sorted(NAMES) == sorted(
        "json log terminal diff search-result code html tabular config text toolschema toolschema-annotations toon a11y documents "
        "repetition".split()
    )
    assert {c.name for c in COMPRESSORS if c.named_only} == {
        "toolschema", "toolschema-annotations", "toon", "a11y", "repetition",
    }  # fmt: skip
