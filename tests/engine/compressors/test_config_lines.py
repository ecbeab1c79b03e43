import pytest

from caveman_engine.compressors import _config_lines


def parents(text):
    """Give each line's key with that of its parent."""
    tree = _config_lines.parse(text.splitlines())
    return [(line.key or line.value, tree[line.parent].key if line.parent >= 0 else None) for line in tree]


def test_no_lines_make_no_tree():
    assert _config_lines.parse([]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a:\n  b: 1\nc: 2\n", [("a", None), ("b", "a"), ("c", None)], id="YAML by indentation"),
        pytest.param(
            "a:\n- b: 1\n  c: 2\n",
            [("a", None), ("b", "a"), ("c", "b")],
            id="items under the key they are level with",
        ),
        pytest.param(
            "[a]\nb = 1\n[c]\nd = 2\n",
            [("[a]", None), ("b", "[a]"), ("[c]", None), ("d", "[c]")],
            id="sections",
        ),
        pytest.param(
            "a {\n  b 1;\n}\nc 2;\n", [("a", None), ("b", "a"), ("}", None), ("c", None)], id="braces"
        ),
        pytest.param("<a>\n  <b>1</b>\n</a>\n", [("a", None), ("b", "a"), ("</a>", None)], id="tags"),
        pytest.param("\"a b\": 1\n'c': 2\n", [("a b", None), ("c", None)], id="quoted keys"),
    ],
)
def test_lines_know_what_they_stand_under(text, expected):
    assert parents(text) == expected


def test_block_text_has_no_keys_and_ends_with_its_indentation():
    tree = _config_lines.parse("run: |\n  make x: 1\n\n  y: 2\nnext: 3\n".splitlines())
    assert [line.block for line in tree] == [False, True, True, True, False]
    assert [line.key for line in tree] == ["run", "", "", "", "next"]


def test_values_lose_what_is_syntax():
    tree = _config_lines.parse(["listen 80;", "size = 3", "name: 'x'", "<v>1.2</v>", "# note: 1"])
    assert [line.value for line in tree] == ["80", "3", "'x'", "1.2", "# note: 1"]
    assert tree[4].comment


@pytest.mark.parametrize("ends", ["|", "<b>", "a || b |"])
def test_a_bar_at_the_end_of_other_text_starts_no_block(ends):
    tree = _config_lines.parse([f"key: x {ends}", "  sub: 1"])
    assert not tree[1].block
