"""What the attributes of an element tell on their own: whether it holds a secret, what the page's code calls it."""

import re
from collections.abc import Mapping

_FILL = re.compile(r"(?:^|\s)(?:cc-|one-time-code|current-password|new-password)")
_NAME = re.compile(
    r"passw(?:or)?d|passphrase|\bpin\b|card[-_]?num|\bcvv\b|\bcvc\b|\bcsc\b|security[-_]?code", re.IGNORECASE
)
_UNTYPED = ("checkbox", "radio", "button", "submit", "reset", "image")
_WORD = re.compile(r"[\w-]+")


def is_secret(known: Mapping[str, str]) -> bool:
    """Tell a field whose value is never shown or kept: passwords, one-time codes, payment cards."""
    kind = known.get("type", "text").lower()
    if kind == "password" or _FILL.search(known.get("autocomplete", "").lower()):
        return True
    label = f"{known.get('name', '')} {known.get('id', '')}"
    return kind not in _UNTYPED and _NAME.search(label) is not None


def hint(known: Mapping[str, str]) -> str:
    """Give what the page's code calls an element without words, the best there is for an icon; "" for nothing."""
    for key in ("name", "id", "class"):
        if words := _WORD.findall(known.get(key, "")):
            return f"{key} {' '.join(words[:2])[:40]}"
    return ""
