"""The hidden-text pass over snapshots made by hand; `test_snapshot` holds it against a real Chrome."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_browser.layout import looks
from caveman_browser.styles import STYLES

PLAIN = {
    "opacity": "1",
    "font-size": "16px",
    "-webkit-text-fill-color": "rgb(0, 0, 0)",
    "filter": "none",
    "background-color": "rgba(0, 0, 0, 0)",
    "background-image": "none",
    "clip-path": "none",
    "clip": "auto",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "position": "static",
    "cursor": "auto",
    "overlay": "none",
    "z-index": "auto",
}
PAGE = (0, 0, 1_000, 2_000)


def el(
    name, *inside, box=(0, 0, 300, 20), attributes=None, listens=False, checked=False, frame=None, **style
):
    """Describe an element; ``box`` None: none; style names with ``_`` for ``-``."""
    style = {key.replace("_", "-"): value for key, value in style.items()}
    known = {"attributes": attributes or {}, "listens": listens, "checked": checked, "frame": frame}
    return {"name": name, "box": box, "style": style, "inside": inside, **known}


def words(text, box=(0, 0, 100, 16)):
    return {"name": "#text", "text": text, "box": box, "inside": ()}


class Snapshot:
    """A ``captureSnapshot`` answer on its way; backend ids count from 100 in the order of the nodes."""

    def __init__(self):
        self.strings = []
        self.documents = []

    def at(self, text):
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def add(self, frame, *body, **html):
        nodes = {"parentIndex": [], "nodeType": [], "nodeName": [], "backendNodeId": [], "attributes": []}
        layout = {"nodeIndex": [], "bounds": [], "styles": []}
        nodes |= {key: {"index": []} for key in ("inputChecked", "isClickable")}
        nodes["contentDocumentIndex"] = {"index": [], "value": []}
        self.ids = {}
        page = el("HTML", el("BODY", *body, box=PAGE), box=PAGE, **html)
        self.walk({"name": "#document", "box": None, "inside": (page,)}, -1, nodes, layout)
        self.documents.append({"frameId": self.at(frame), "nodes": nodes, "layout": layout})
        return self

    def walk(self, node, parent, nodes, layout):
        at, text = len(nodes["nodeType"]), node.get("text")
        nodes["parentIndex"].append(parent)
        nodes["nodeType"].append(3 if text is not None else 1)
        nodes["nodeName"].append(self.at(node["name"]))
        nodes["backendNodeId"].append(100 + at)
        self.ids.setdefault(text or node.get("attributes", {}).get("id") or node["name"], 100 + at)
        pairs = node.get("attributes", {}).items()
        nodes["attributes"].append([self.at(each) for pair in pairs for each in pair])
        for key, name in (("listens", "isClickable"), ("checked", "inputChecked")):
            if node.get(key):
                nodes[name]["index"].append(at)
        if node.get("frame") is not None:
            nodes["contentDocumentIndex"]["index"].append(at)
            nodes["contentDocumentIndex"]["value"].append(node["frame"])
        if node["box"] is not None:
            left, top, right, bottom = node["box"]
            layout["nodeIndex"].append(at)
            layout["bounds"].append([left, top, right - left, bottom - top])
            style = {**PLAIN, **node.get("style", {})}
            layout["styles"].append([] if text is not None else [self.at(style[name]) for name in STYLES])
        for child in node["inside"]:
            self.walk(child, at, nodes, layout)

    def answer(self):
        return {"strings": self.strings, "documents": self.documents}


def look_at(*body, **html):
    """Give the look of a page, and the backend ids by text, id or name of what was first called so."""
    snapshot = Snapshot().add("F", *body, **html)
    return looks(snapshot.answer())["F"], snapshot.ids


def hides(*body, **html):
    found, ids = look_at(*body, **html)
    return ids["secret order"] in found.hidden


def order(**style):
    return el("P", words("secret order"), **style)


@pytest.mark.parametrize(
    "style",
    [
        {},
        {"opacity": "0.06"},
        {"font_size": "2px"},
        {"_webkit_text_fill_color": "rgb(200, 200, 200)"},
        {"_webkit_text_fill_color": "oklch(0.5 0.1 200)"},
        {"clip": "rect(0px, 0px, 0px, 0px)"},
        {"clip_path": "inset(10px)"},
        {"overflow_x": "hidden", "overflow_y": "hidden"},
        {"_webkit_text_fill_color": "rgb(255, 255, 255)", "background_image": "url(x)"},
        {"_webkit_text_fill_color": "rgb(255, 255, 255)", "background_color": "rgb(0, 0, 0)"},
    ],
    ids=str,
)
def test_text_that_can_be_read_is_not_hidden(style):
    assert not hides(order(**{key if key[0] != "_" else "-" + key[1:]: style[key] for key in style}))


@pytest.mark.parametrize(
    "style",
    [
        {"opacity": "0"},
        {"filter": "blur(1px) opacity(0.01)"},
        {"font_size": "1px"},
        {"-webkit_text_fill_color": "rgba(0, 0, 0, 0)"},
        {"-webkit_text_fill_color": "rgb(254, 254, 254)"},
        {"-webkit_text_fill_color": "rgb(9, 9, 9)", "background_color": "rgb(9, 9, 9)"},
        {"position": "absolute", "clip": "rect(0px, 0px, 0px, 0px)"},
        {"clip_path": "inset(50%)"},
        {"box": (0, 0, 1, 1), "overflow_x": "hidden", "overflow_y": "hidden"},
    ],
    ids=str,
)
def test_text_that_nobody_can_read_is_hidden(style):
    assert hides(order(**style))


@pytest.mark.parametrize(
    "box", [(-300, 0, -1, 16), (0, -100, 90, -1), (20_000, 0, 20_100, 16), (5, 5, 5, 20)]
)
def test_text_beyond_the_page_or_of_no_size_is_hidden(box):
    assert hides(el("P", words("secret order", box), box=box))


def test_text_far_below_is_seen_by_scrolling():
    assert not hides(el("P", words("secret order", (0, 90_000, 90, 90_016)), box=(0, 90_000, 300, 90_020)))


def test_in_a_page_from_right_to_left_text_to_the_left_is_seen():
    left = el("P", words("secret order", (-300, 0, -200, 16)))
    assert hides(left)
    assert not hides(left, attributes={"dir": "RTL"})


def test_faintness_multiplies_over_what_holds_the_text():
    assert hides(el("DIV", order(opacity="0.2"), opacity="0.2"))
    assert not hides(el("DIV", order(opacity="0.2"), order(opacity="1"), opacity="0.9"))


def test_a_text_without_a_box_is_left_to_the_tree():
    assert not hides(el("P", words("secret order", None), box=None))


def test_text_in_its_grounds_colour_is_seen_where_something_is_painted_behind_it():
    white = order(**{"-webkit_text_fill_color": "rgb(255, 255, 255)"})
    behind = {"position": "absolute", "background_color": "rgb(0, 0, 0)"}
    assert not hides(el("DIV", box=(0, 0, 300, 300), **behind), white)
    assert hides(el("DIV", box=(500, 500, 600, 600), **behind), white)


def test_what_is_positioned_absolutely_is_not_clipped_by_a_box_it_does_not_belong_to():
    clip = {"box": (0, 0, 1, 1), "overflow_x": "hidden", "overflow_y": "hidden"}
    loose = order(position="absolute")
    assert not hides(el("DIV", loose, **clip))
    assert hides(el("DIV", loose, position="relative", **clip))


def test_text_before_what_a_scrolling_box_shows_asks_for_its_offsets():
    box = el("DIV", el("P", words("t", (0, -50, 90, -34)), box=(0, -50, 90, -34)), overflow_y="scroll")
    assert look_at(box)[0].scrolled
    assert not look_at(el("P", words("t")))[0].scrolled


@pytest.mark.parametrize(
    "name, acts", [("DIV", True), ("SPAN", True), ("BUTTON", False), ("BODY", False), ("A", False)]
)
def test_a_box_that_listens_is_clickable_unless_its_role_says_so(name, acts):
    found, ids = look_at(el(name, words("Go"), listens=True, attributes={"id": "it"}))
    assert (ids["it"] in found.clickable) is acts


def test_the_hand_over_a_box_makes_it_clickable_and_not_all_that_is_in_it():
    inner = el("SPAN", words("Go"), attributes={"id": "inner"}, cursor="pointer")
    found, ids = look_at(el("DIV", inner, attributes={"id": "outer"}, cursor="pointer"))
    assert found.clickable == {ids["outer"]}


def test_a_box_with_a_button_in_it_or_much_text_is_a_part_of_the_page():
    button = el("BUTTON", words("Go"))
    assert not look_at(el("DIV", words("card"), button, listens=True))[0].clickable
    assert not look_at(el("DIV", words("long", (0, 0, 1_000, 1_000)), listens=True))[0].clickable


def test_boxes_alike_with_a_button_each_are_items_to_click():
    items = [el("DIV", words(f"m{i}"), el("BUTTON", words("x")), listens=True) for i in range(3)]
    assert len(look_at(*items)[0].clickable) == 3


def test_a_box_out_of_sight_whose_content_is_seen_is_clickable_and_not_hidden():
    seen = el("SPAN", words("Menu"), position="fixed")
    out = el("DIV", seen, box=(-900, 0, -800, 20), position="absolute", cursor="pointer")
    found, ids = look_at(out)
    assert (found.clickable, found.hidden) == ({ids["DIV"]}, set())


@pytest.mark.parametrize("side, clickable", [(7, False), (8, True), (100, True), (101, False)])
def test_a_box_without_words_is_clickable_in_the_size_of_an_icon(side, clickable):
    icon = el("I", box=(0, 0, side, side), listens=True, attributes={"class": "fa star big"})
    found, ids = look_at(icon)
    assert (ids["I"] in found.clickable) is clickable
    assert found.hints == {ids["I"]: "class fa star"}


def test_an_icon_that_is_transparent_is_not_clickable():
    assert not look_at(el("I", box=(0, 0, 20, 20), listens=True, opacity="0"))[0].clickable


@pytest.mark.parametrize(
    "attributes, secret",
    [
        ({}, False),
        ({"type": "PASSWORD"}, True),
        ({"autocomplete": "cc-number"}, True),
        ({"name": "user"}, False),
    ],
)
def test_fields_that_hold_secrets_are_known_by_their_attributes(attributes, secret):
    found, ids = look_at(el("INPUT", attributes=attributes))
    assert found.secret == ({ids["INPUT"]} if secret else set())


def test_an_input_behind_its_label_is_worked_through_the_label():
    hidden = el("INPUT", box=None, checked=True, attributes={"type": "checkbox", "id": "i", "disabled": ""})
    found, ids = look_at(hidden, el("LABEL", words("Gift"), attributes={"for": "i"}))
    assert found.controls == {
        ids["LABEL"]: {"role": "checkbox", "backend": ids["i"], "states": ["checked", "disabled"]}
    }


def test_an_input_whose_label_nobody_sees_has_none():
    hidden = el("INPUT", box=None, attributes={"type": "radio", "id": "i"})
    assert not look_at(hidden, el("LABEL", words("Gift"), attributes={"for": "i"}, opacity="0"))[0].controls
    assert not look_at(hidden)[0].controls


def test_a_layer_counts_once_with_all_that_is_in_it_and_a_head_is_none():
    over = {"position": "fixed", "z_index": "100"}
    inner = el("DIV", words("t"), attributes={"role": "dialog"})
    found, ids = look_at(el("DIV", inner, box=(0, 300, 500, 600), attributes={"id": "layer"}, **over))
    assert found.first == [ids["layer"]]
    assert look_at(el("DIV", words("head"), box=(0, 0, 1_000, 150), **over))[0].first == []
    assert look_at(el("DIV", words("low"), box=(0, 0, 1_000, 151), **over))[0].first != []


def test_a_transparent_dialog_is_no_layer():
    assert look_at(el("DIALOG", words("t"), opacity="0"))[0].first == []


@pytest.mark.parametrize("side, shown", [(5, False), (6, True)])
def test_a_frame_of_some_size_is_worth_a_look_and_knows_its_document(side, shown):
    snapshot = Snapshot().add("TOP", el("IFRAME", box=(0, 0, side, side), frame=1))
    owner = snapshot.ids["IFRAME"]
    snapshot.add("INNER", el("P", words("t")))
    found = looks(snapshot.answer())
    assert found.keys() == {"TOP", "INNER"}
    assert found["TOP"].frames == {owner: shown}
    assert found["TOP"].owners == {"INNER": owner}
    assert (owner in found["TOP"].hidden) is not shown


def test_pictures_that_a_canvas_draws_are_counted_where_they_are_seen():
    assert look_at(el("CANVAS"), el("CANVAS"), el("CANVAS", opacity="0"))[0].pictures == 2


def test_what_is_current_is_noted_unless_it_is_false():
    links = [el("A", attributes={"id": each, "aria-current": each}) for each in ("page", "false")]
    found, ids = look_at(*links)
    assert found.current == {ids["page"]: "page"}


def test_a_document_without_any_node_has_an_empty_look():
    nodes = {key: [] for key in ("parentIndex", "nodeType", "nodeName", "backendNodeId", "attributes")}
    layout = {"nodeIndex": [], "bounds": [], "styles": []}
    empty = {"strings": ["F"], "documents": [{"frameId": 0, "nodes": nodes, "layout": layout}]}
    assert not any(looks(empty)["F"].as_json().values())


BOXES = st.one_of(
    st.none(),
    st.builds(
        lambda x, y, w, h: (x, y, x + w, y + h), *(st.integers(-50, 400),) * 2, *(st.integers(0, 300),) * 2
    ),
)
TEXTS = st.builds(lambda box: words("w", box), BOXES)


def grown(inside):
    styles = st.fixed_dictionaries(
        {},
        optional={
            "opacity": st.sampled_from(["0", "1"]),
            "position": st.sampled_from(["absolute", "fixed", "relative"]),
            "overflow_x": st.sampled_from(["hidden", "auto"]),
            "cursor": st.just("pointer"),
            "background_color": st.sampled_from(["rgb(0, 0, 0)", "rgba(1, 2, 3, 0.5)", "lab(1 2 3)"]),
        },
    )
    return st.builds(
        lambda name, box, style, listens, children: el(name, *children, box=box, listens=listens, **style),
        st.sampled_from("DIV INPUT LABEL BUTTON IFRAME DIALOG CANVAS".split()),
        BOXES,
        styles,
        st.booleans(),
        st.lists(inside, max_size=4),
    )


@given(st.lists(st.recursive(TEXTS, grown, max_leaves=15), max_size=4))
def test_any_page_can_be_read_and_only_its_own_elements_are_named(body):
    found, _ = look_at(*body)
    snapshot = Snapshot().add("F", *body)
    known = set(snapshot.documents[0]["nodes"]["backendNodeId"])
    assert found.hidden | found.clickable | set(found.first) | found.files | set(found.frames) <= known
    assert not found.clickable & found.hidden
    assert looks(snapshot.answer())["F"] == found
