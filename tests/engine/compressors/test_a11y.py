"""[a11y] Stored accessibility trees."""

import json
import os

import pytest

from caveman_engine import Engine, RecoveryStore, payload
from caveman_engine.compressors import a11y
from caveman_engine.views import Request

CORPUS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "..", "shared", "corpus")


def node(key, role, name="", children=(), **properties):
    return {
        "nodeId": str(key),
        "ignored": False,
        "role": {"type": "role", "value": role},
        "name": {
            "type": "computedString",
            "value": name,
            "sources": [{"type": "attribute", "attribute": "title"}],
        },
        "properties": [{"name": k, "value": {"type": "any", "value": v}} for k, v in properties.items()],
        "childIds": [str(each) for each in children],
        "backendDOMNodeId": key,
    }


def orders(count):
    nodes = [
        node(1, "RootWebArea", "Orders", [2, 3], url="http://x.example/"),
        node(2, "heading", "All orders"),
    ]
    nodes.append(node(3, "table", "", range(10, 10 + 4 * count, 4)))
    for i in range(count):
        at = 10 + 4 * i
        nodes.append(node(at, "row", "", [at + 1, at + 2]))
        nodes.append(node(at + 1, "cell", f"ORD-{i}", [at + 3]))
        nodes.append(node(at + 3, "StaticText", f"ORD-{i}"))
        nodes.append(node(at + 2, "button", "Open"))
    return json.dumps({"nodes": nodes}).encode()


def views(data, query=None, budget=10_000, hard=False):
    return list(a11y.views(payload.parse(data), Request(query, budget, hard)))


@pytest.mark.parametrize("data", [b"", b"no json", b"[]", b'{"nodes": []}', b'{"a": 1}', b"[" * 100_000])
def test_what_is_no_tree_has_no_view(data):
    assert views(data) == []


def test_every_element_stands_in_the_view_and_the_protocol_does_not():
    (view,) = views(orders(30))
    assert all(f"row: ORD-{i} | button Open\n" in view.text for i in range(30))
    assert "sources" not in view.text
    assert len(view.text) * 10 < len(orders(30))


def test_a_query_gives_its_row_and_the_headings():
    (view,) = views(orders(30), "where is ORD-17")
    assert "ORD-17" in view.text
    assert "ORD-18" not in view.text
    assert 'heading "All orders"' in view.text


def test_a_query_without_an_answer_says_so():
    (view,) = views(orders(3), "zebra")
    assert view.text.startswith("[caveman: nothing matches")
    assert view.markers == 1


def test_a_hard_bound_is_kept_with_the_gaps_named():
    full, cut = views(orders(300), budget=600, hard=True)
    assert len(full.text) > 600 >= len(cut.text) - 60
    assert "rows" in cut.text
    assert cut.shown < cut.total


def test_the_engine_keeps_the_original():
    engine = Engine(store=RecoveryStore.in_memory())
    data = orders(50)
    result = engine.compress(data, kind="a11y")
    assert result.reason is None
    assert result.ratio > 0.8
    assert engine.retrieve(result.recovery_handle) == data


def test_a_stored_tree_is_asked_by_its_elements():
    engine = Engine(store=RecoveryStore.in_memory())
    result = engine.compress(orders(50), kind="a11y")
    view = engine.retrieve(result.recovery_handle, "ORD-17")
    assert "  row: ORD-17 | button Open\n" in view.text
    assert "nodeId" not in view.text


def test_a_tree_is_never_detected_as_one():
    engine = Engine()
    assert "a11y" not in [name for name, _ in engine.detect(orders(5))]


@pytest.mark.skipif(not os.path.isdir(CORPUS), reason="the shared corpus is not beside the project")
def test_the_corpus_keeps_its_facts_at_a_tenth_of_its_tokens():
    engine = Engine(store=RecoveryStore.in_memory())
    kept = asked = before = after = 0
    with open(os.path.join(CORPUS, "manifest.jsonl"), encoding="utf-8") as rows:
        trees = [each for each in map(json.loads, rows) if each["type"] == "axtree"]
    for tree in trees:
        with open(os.path.join(CORPUS, tree["path"]), "rb") as file:
            result = engine.compress(file.read(), kind="a11y")
        text = result.output.decode()
        before, after = before + result.tokens_before, after + result.tokens_after
        for fact in tree["facts"]:
            kept += any(
                all(part in text for part in parts) for parts in [fact["answers"], *fact.get("alts", [])]
            )
            asked += 1
    assert kept / asked >= 0.9
    assert after / before <= 0.1
