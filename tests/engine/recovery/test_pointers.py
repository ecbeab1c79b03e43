import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.errors import InvalidPointer
from caveman_engine.recovery import pointers
from caveman_engine.recovery.pointers import Bytes, JsonPart, Lines, Pointer, Rows, parse, parse_selector

H = "ccr_" + "0123456789abcdef" * 2
OBJECT = "ccr_obj_" + "0123456789abcdef" * 2


def test_a_handle_is_half_of_the_digest():
    assert pointers.handle_of(b"") == "ccr_e3b0c44298fc1c149afbf4c8996fb924"
    assert pointers.handle_of(memoryview(b"abc")) == pointers.handle_of(b"abc")


@pytest.mark.parametrize(
    "form", ["{}", "ccr:{}", "ccr://{}", "<<ccr:{}>>", "<<ccr://{}>>", "<<{}>>", "<< ccr:{} >>"]
)
@pytest.mark.parametrize("space", ["{}", " {}", "{}\n", "\t {} \r\n", "\u00a0{}"])
@pytest.mark.parametrize("name", [H, OBJECT])
def test_every_form_with_any_white_space_is_the_same_reference(form, space, name):
    assert parse(space.format(form.format(name))) == Pointer(name, name == OBJECT)


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("", None),
        ("/", JsonPart(("",))),
        ("/a/b/0", JsonPart(("a", "b", "0"))),
        ("/a~1b/m~0n", JsonPart(("a/b", "m~n"))),
        ("/~01", JsonPart(("~1",))),
        ("/%C3%A9/%2F%20", JsonPart(("é", "/ "))),
        ('/é/<&>"', JsonPart(("é", '<&>"'))),
        ("/i%5Cj", JsonPart(("i\\j",))),
        ("line=10,20", Lines(10, 20)),
        ("line=10", Lines(10, 11)),
        ("line=,5", Lines(0, 5)),
        ("line=7,", Lines(7, None)),
        ("row=5-7", Rows(5, 7)),
        ("row=5", Rows(5, 5)),
        ("row=5-*", Rows(5, None)),
        ("byte=0,100", Bytes(0, 100)),
    ],
)
def test_a_selector_is_read_by_its_standard(text, selector):
    assert parse_selector(text) == selector
    assert parse(f"ccr://{H}#{text}") == Pointer(H, is_object=False, selector=selector)
    assert parse(f"<<ccr:{H}#{text}>>").selector == selector


def test_a_type_may_stand_before_the_fragment():
    assert parse(f"ccr://{OBJECT}?type=TestResult#line=0,2") == Pointer(
        OBJECT, True, "TestResult", Lines(0, 2)
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "ccr_",
        "hello",
        H[:-1],
        H + "0",
        H.upper(),
        H.replace("a", "g"),
        f"ccr:/{H}",
        f"http://{H}",
        f"<<ccr:{H}",
        f"ccr:{H}>>",
        f"{H} {H}",
        f"{H}?type=",
        f"{H}?kind=x",
        f"{H}\0",
        f"ccr_obj_{'0' * 31}",
    ],
)
def test_what_is_no_reference_is_refused_with_the_forms(text):
    with pytest.raises(InvalidPointer) as caught:
        parse(text)
    assert "ccr://ccr_H" in caught.value.hint
    assert caught.value.exit_status == 1


@pytest.mark.parametrize(
    "text",
    [
        "items//[",
        "line=",
        "line=,",
        "line=a",
        "line=5,5",
        "line=6,5",
        "line=-1,5",
        "line=1,2,3",
        "line=1-2",
        "row=",
        "row=0",
        "row=0-3",
        "row=3-2",
        "row=2-",
        "row=-2",
        "row=*",
        "byte=5",
        "byte=5,",
        "byte=,5",
        "byte=5,5",
        "byte=٣,9",
        "line=1,٣",
        "/a~2",
        "/a~",
        "/%ff",
        "char=1,2",
    ],
)
def test_a_bad_selector_is_an_invalid_pointer(text):
    with pytest.raises(InvalidPointer):
        parse_selector(text)


@given(st.text())
def test_any_text_is_a_reference_or_an_invalid_pointer(text):
    for reference in (text, f"ccr://{H}#{text}"):
        with contextlib.suppress(InvalidPointer):
            assert parse(reference).id


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), min_size=1))
def test_any_path_of_keys_comes_back_from_its_pointer(keys):
    from urllib.parse import quote

    text = "".join("/" + quote(key.replace("~", "~0").replace("/", "~1"), safe="~") for key in keys)
    assert parse(f"ccr://{H}#{text}").selector == JsonPart(tuple(keys))
