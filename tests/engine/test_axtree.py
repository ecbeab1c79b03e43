"""Chrome's trees read into what a reader needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import axtree
from caveman_engine.axnode import Node


def raw(key, role, name="", children=(), parent=None, **more):
    """Give one node as the protocol has it; keyword arguments become properties, ``value`` the value."""
    node = {"nodeId": key, "ignored": more.pop("ignored", False), "role": {"type": "role", "value": role}}
    node |= {"name": {"type": "computedString", "value": name}, "childIds": list(children)}
    node["backendDOMNodeId"] = more.pop("backend", int(key))
    if parent:
        node["parentId"] = parent
    if "value" in more:
        node["value"] = {"type": "string", "value": more.pop("value")}
    node["properties"] = [{"name": k, "value": {"type": "any", "value": v}} for k, v in more.items()]
    return node


def page(*nodes, **look):
    """Put nodes under a page, in order; ids are theirs, parents are set."""
    parents = {child: node["nodeId"] for node in nodes for child in node["childIds"]}
    tops = [node["nodeId"] for node in nodes if node["nodeId"] not in parents]
    for node in nodes:
        node["parentId"] = parents.get(node["nodeId"], "1")
    root = raw("1", "RootWebArea", "Title", tops, url="http://x.example/a")
    frame = {"id": "F", "url": "http://x.example/a", "parent": None, "owner": None, "look": look}
    return {"url": "http://x.example/a", "frames": [{**frame, "nodes": [root, *nodes]}]}


def shape(node: Node):
    """Give a tree as nested tuples of role and name, boundaries left out."""
    inside = [shape(child) for child in node.children if child is not None]
    return (node.role, node.name, *inside)


def read(document):
    tree = axtree.read(document)
    assert tree is not None
    return tree


@pytest.mark.parametrize(
    "other",
    [
        None,
        3,
        "x",
        [],
        {},
        {"nodes": []},
        {"nodes": [1]},
        {"nodes": [{"nodeId": "1"}]},
        {"frames": []},
        [{"a": 1}],
    ],
)
def test_what_is_no_tree_is_none(other):
    assert axtree.read(other) is None


def test_the_bare_list_and_the_answer_of_chrome_read_alike():
    nodes = [raw("1", "RootWebArea", "T", ["2"]), raw("2", "heading", "H", parent="1", level=2)]
    assert shape(read(nodes).root) == shape(read({"nodes": nodes}).root) == ("page", "T", ("heading", "H"))


def test_ignored_nodes_and_wrappers_without_a_name_hand_their_content_up():
    tree = read(
        page(
            raw("2", "generic", "", ["3"]),
            raw("3", "none", "", ["4"], ignored=True),
            raw("4", "button", "Go"),
        )
    )
    assert shape(tree.root) == ("page", "Title", ("button", "Go"))


def test_text_in_inline_elements_is_one_text():
    tree = read(
        page(
            raw("2", "paragraph", "", ["3", "4", "6"]),
            raw("3", "StaticText", "Pay "),
            raw("4", "strong", "", ["5"]),
            raw("5", "StaticText", "now"),
            raw("6", "StaticText", " please"),
        )
    )
    assert shape(tree.root) == ("page", "Title", ("text", "Pay now please"))


def test_text_of_two_blocks_stays_apart():
    tree = read(
        page(
            raw("2", "generic", "", ["3"]),
            raw("3", "StaticText", "a"),
            raw("4", "generic", "", ["5"]),
            raw("5", "StaticText", "b"),
        )
    )
    assert shape(tree.root) == ("page", "Title", ("text", "a"), ("text", "b"))


def test_the_choices_of_a_closed_select_belong_to_it():
    tree = read(
        page(
            raw("2", "combobox", "City", ["3"], value="Oslo", expanded=False),
            raw("3", "MenuListPopup", "", ["4", "5"]),
            raw("4", "option", "Oslo"),
            raw("5", "option", "Rome"),
        )
    )
    (select,) = [node for node in tree.root.walk() if node.role == "combobox"]
    assert (select.value, select.options, select.states) == ("Oslo", ["Oslo", "Rome"], [])


def test_states_that_a_reader_would_not_assume_are_kept():
    tree = read(
        page(
            raw("2", "checkbox", "A", checked="mixed", disabled=True),
            raw("3", "checkbox", "B", checked="false", invalid="false", required=False),
            raw("4", "button", "C", expanded=False, pressed="true"),
            raw("5", "heading", "D", level=1),
            raw("6", "heading", "E", level=3),
            current={"4": "page"},
        )
    )
    assert [node.states for node in tree.root.walk()][1:] == [
        ["disabled", "mixed"],
        [],
        ["pressed", "collapsed", "current"],
        [],
        ["level 3"],
    ]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://x.example/b?c=1", "/b?c=1"),
        ("http://x.example/a#top", "#top"),
        ("http://y.example/b", "http://y.example/b"),
        ("http://x.example.evil/b", "http://x.example.evil/b"),
        ("data:text/html;base64,AAAA", "data:"),
        ("file:///etc/x", "file:///etc/x"),
    ],
)
def test_addresses_are_shown_without_what_they_share_with_the_page(url, shown):
    tree = read(page(raw("2", "link", "L", url=url)))
    assert tree.root.children[0].url == shown


def test_hidden_text_is_left_out_and_counted():
    tree = read(page(raw("2", "StaticText", "ghost"), raw("3", "StaticText", "seen"), hidden=[2]))
    assert shape(tree.root) == ("page", "Title", ("text", "seen"))
    assert tree.hidden == 1


def test_a_hidden_input_is_marked_and_a_hidden_button_left_out():
    tree = read(page(raw("2", "textbox", "In"), raw("3", "button", "Out"), hidden=[2, 3]))
    assert [(node.name, node.states) for node in tree.root.walk()][1:] == [("In", ["hidden"])]
    assert tree.hidden == 1


def test_a_clickable_box_is_named_by_its_text():
    tree = read(page(raw("2", "generic", "", ["3"]), raw("3", "StaticText", "Open panel"), clickable=[2]))
    assert shape(tree.root) == ("page", "Title", ("clickable", "Open panel"))


def test_a_label_stands_for_the_input_that_is_not_in_the_tree():
    control = {"role": "radio", "backend": 9, "states": ["checked"]}
    tree = read(
        page(raw("2", "LabelText", "", ["3"]), raw("3", "StaticText", "Large"), controls={"2": control})
    )
    (radio,) = [node for node in tree.root.walk() if node.role == "radio"]
    assert (radio.name, radio.backend, radio.states) == ("Large", 9, ["checked"])


def test_layers_come_first():
    tree = read(
        page(raw("2", "link", "L"), raw("3", "generic", "", ["4"]), raw("4", "button", "Accept"), first=[3])
    )
    assert shape(tree.root) == ("page", "Title", ("popup", "", ("button", "Accept")), ("link", "L"))


def test_a_frame_stands_under_its_element():
    document = page(raw("2", "Iframe", "Pay", backend=2), raw("3", "button", "Below"))
    inner = [raw("1", "RootWebArea", "Inner", ["2"]), raw("2", "button", "In frame", parent="1")]
    document["frames"].append(
        {"id": "G", "url": "http://b.example/", "parent": "F", "owner": 2, "nodes": inner}
    )
    tree = read(document)
    assert shape(tree.root) == (
        "page",
        "Title",
        ("iframe", "Pay", ("button", "In frame")),
        ("button", "Below"),
    )
    assert {node.frame for node in tree.root.walk() if node.name == "In frame"} == {"G"}


@pytest.mark.parametrize(
    ("text", "shown", "count"),
    [
        ("plain é 日本 👍🏽", "plain é 日本 👍🏽", 0),
        ("pay\u200bload", "payload", 1),
        ("ok\U000e0041\U000e0042", "ok", 2),
        ("a\u202eb\u2066c", "abc", 2),
        ("bad \ud83d", "bad \ufffd", 0),
    ],
)
def test_characters_that_nobody_sees_are_stripped_and_counted(text, shown, count):
    tree = read(page(raw("2", "button", text)))
    assert tree.root.children[0].name == shown
    assert tree.stripped == count


def test_circles_and_depth_do_no_harm():
    deep = [raw(str(i), "group", f"g{i}", [str(i + 1)]) for i in range(2, 5000)]
    tree = read(page(*deep, raw("5000", "button", "Go")))
    assert [node.name for node in tree.root.walk() if node.role == "button"] == ["Go"]
    circle = [raw("1", "group", "", ["2"], parent="2"), raw("2", "group", "", ["1"], parent="1")]
    assert shape(read(circle).root) == ("page", "")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json_is_a_tree_or_none(value):
    assert axtree.read(value) is None


_KEYS = st.sampled_from([str(i) for i in range(8)])
_NODES = st.lists(
    st.builds(
        lambda key, role, name, children, ignored: raw(key, role, name, children, ignored=ignored),
        _KEYS,
        st.sampled_from(
            [
                "generic",
                "StaticText",
                "button",
                "row",
                "cell",
                "LabelText",
                "combobox",
                "option",
                "Iframe",
                "heading",
            ]
        ),
        st.text(max_size=8),
        st.lists(_KEYS, max_size=4),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@given(_NODES)
def test_any_nodes_read_into_a_tree_without_circles(nodes):
    tree = read(nodes)
    assert len(list(tree.root.walk())) <= len(nodes) + 1
