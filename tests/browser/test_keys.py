import pytest

from caveman_browser import errors, keys


@pytest.mark.parametrize(
    ("name", "key", "code", "number", "text"),
    [
        ("a", "a", "KeyA", 65, "a"),
        ("7", "7", "Digit7", 55, "7"),
        ("é", "é", "", 0, "é"),
        ("+", "+", "", 0, "+"),
        (" ", " ", "Space", 32, " "),
        ("Enter", "Enter", "Enter", 13, "\r"),
        ("return", "Enter", "Enter", 13, "\r"),
        ("space", " ", "Space", 32, " "),
        ("F5", "F5", "F5", 116, None),
        ("down", "ArrowDown", "ArrowDown", 40, None),
        ("ArrowDown", "ArrowDown", "ArrowDown", 40, None),
    ],
)
def test_a_key_by_its_name(name, key, code, number, text):
    down, up = keys.press(name)
    assert (down["key"], down["code"], down["windowsVirtualKeyCode"], down.get("text")) == (
        key,
        code,
        number,
        text,
    )
    assert (down["type"], up["type"]) == ("keyDown" if text else "rawKeyDown", "keyUp")


@pytest.mark.parametrize(
    ("name", "modifiers", "text"),
    [("Control+A", 2, None), ("Shift+a", 8, "a"), ("ctrl+shift+Tab", 10, None), ("Control++", 2, None)],
)
def test_modifiers_that_make_a_shortcut_type_nothing(name, modifiers, text):
    down, _ = keys.press(name)
    assert (down["modifiers"], down.get("text")) == (modifiers, text)


@pytest.mark.parametrize("name", ["", "Entr", "Hyper+a", "ab"])
def test_a_key_that_does_not_exist_is_an_error(name):
    with pytest.raises(errors.BadRequest):
        keys.press(name)
