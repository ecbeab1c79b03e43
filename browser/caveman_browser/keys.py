"""Keys by name, as Input.dispatchKeyEvent wants them (UI Events: key, code, legacy key code). Pure."""

from typing import Any

from caveman_browser import errors

# name: (code, Windows key code, text that it types)
_NAMED: dict[str, tuple[str, int, str]] = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "Insert": ("Insert", 45, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    " ": ("Space", 32, " "),
    **{f"F{number}": (f"F{number}", 111 + number, "") for number in range(1, 13)},
}
_ALIASES = {"esc": "Escape", "return": "Enter", "space": " ", "del": "Delete"} | {
    name.lower().removeprefix("arrow"): name for name in _NAMED if name != " "
}
_MODIFIERS = {"alt": 1, "control": 2, "ctrl": 2, "meta": 4, "cmd": 4, "command": 4, "shift": 8}


def press(name: str) -> list[dict[str, Any]]:
    """Give the events of one key press: ``Enter``, ``a``, ``Control+A``, ``Shift+Tab``.

    Raises `BadRequest` for a key that does not exist.
    """
    # The last character is part of the key even when it is the plus itself.
    held, _, key = name[:-1].rpartition("+")
    key += name[-1:]
    modifiers = 0
    for modifier in (each.strip().lower() for each in held.split("+") if each.strip()):
        if modifier not in _MODIFIERS:
            raise errors.BadRequest(f"{modifier!r} is no modifier", hint="Alt, Control, Meta, Shift")
        modifiers |= _MODIFIERS[modifier]
    key = key if len(key) == 1 else _ALIASES.get(key.strip().lower().removeprefix("arrow"), key.strip())
    if key not in _NAMED and len(key) != 1:
        hint = "such as Enter, Tab, Escape, ArrowDown, PageUp, a, Control+A"
        raise errors.BadRequest(f"there is no key {key!r}", hint=hint)
    # With a modifier that makes a shortcut of it, a key types nothing.
    return _events(key, modifiers, types=not modifiers & ~8)


def typed(character: str) -> list[dict[str, Any]]:
    """Give the events of typing one character."""
    return _events(character, 0, types=True)


def _events(key: str, modifiers: int, *, types: bool) -> list[dict[str, Any]]:
    code, number, text = _NAMED.get(key) or _character(key)
    event: dict[str, Any] = {
        "key": key,
        "code": code,
        "windowsVirtualKeyCode": number,
        "modifiers": modifiers,
    }
    down = {**event, "type": "keyDown", "text": text} if types and text else {**event, "type": "rawKeyDown"}
    return [down, {**event, "type": "keyUp"}]


def _character(key: str) -> tuple[str, int, str]:
    if key.isascii() and key.isalpha():
        return f"Key{key.upper()}", ord(key.upper()), key
    if key.isascii() and key.isdigit():
        return f"Digit{key}", ord(key), key
    return "", 0, key
