"""Reading references: every accepted form of a handle, and the selector behind it.

Owns the grammar, by the standards that define it: JSON Pointer (RFC 6901) in a fragment, ``line=`` (RFC 5147),
``row=`` (RFC 7111), and our own ``byte=``. Must never know a store or any content.
"""

import hashlib
import re
from dataclasses import dataclass

from caveman_engine.errors import InvalidPointer

_FORMS = "ccr_H, ccr:ccr_H, ccr://ccr_H or <<ccr:ccr_H>>, H being 32 hexadecimal digits"
_REFERENCE = re.compile(
    r"(?:ccr:(?://)?)?(?P<id>ccr_(?P<object>obj_)?[0-9a-f]{32})(?:\?type=(?P<type>[A-Za-z]+))?(?:#(?P<part>.*))?",
    re.DOTALL,
)
_RANGE = re.compile(r"(?P<unit>line|byte)=(?P<start>\d*)(?P<comma>,)?(?P<end>\d*)", re.ASCII)
# By hand: urllib.parse would cost a retrieve as much time as all of this package.
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_ROWS = re.compile(r"row=(?P<start>\d+)(?:-(?P<end>\d+|\*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class JsonPart:
    """The value at the end of a path of keys and indices."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines from position ``start`` to ``end`` (None: to the last one); positions lie between lines, from 0."""

    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows ``start`` to ``end``, both included (None: to the last one), counted from 1; the header is row 1."""

    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes from position ``start`` to ``end``, counted from 0, the end not included."""

    start: int
    end: int


Selector = JsonPart | Lines | Rows | Bytes


@dataclass(frozen=True, slots=True)
class Pointer:
    """A parsed reference: a record's handle or a typed object's id, the type it asserts, the part it selects."""

    id: str
    is_object: bool
    type: str | None = None
    selector: Selector | None = None


def handle_of(original: bytes | memoryview) -> str:
    """Give the handle of an original: ``ccr_`` and the first 16 bytes of its SHA-256 in hex."""
    return handle_from(hashlib.sha256(original).digest())


def handle_from(digest: bytes) -> str:
    """Give the handle that belongs to a SHA-256 digest."""
    return "ccr_" + digest[:16].hex()


def parse(reference: str) -> Pointer:
    """Read a reference in any accepted form, with white space around it or not.

    Raises:
        InvalidPointer: it is none.
    """
    text = reference.strip()
    if text.startswith("<<") and text.endswith(">>"):
        text = text[2:-2].strip()
    found = _REFERENCE.fullmatch(text)
    if found is None:
        shown = text if len(text) <= 80 else text[:77] + "..."
        raise InvalidPointer(f"{shown!r} is no reference", hint=f"copy it whole: {_FORMS}")
    selector = parse_selector(found["part"]) if found["part"] else None
    return Pointer(found["id"], found["object"] is not None, found["type"], selector)


def parse_selector(text: str) -> Selector | None:
    """Read what stands behind the ``#``. The empty JSON pointer selects the whole: None.

    Raises:
        InvalidPointer: none of the forms, or a range that ends before it starts.
    """
    if not text:
        return None
    if text.startswith("/"):
        return JsonPart(tuple(_token(token) for token in text[1:].split("/")))
    if found := _RANGE.fullmatch(text):
        return _range(found)
    if found := _ROWS.fullmatch(text):
        start = int(found["start"])
        end = start if found["end"] is None else None if found["end"] == "*" else int(found["end"])
        if start < 1 or (end is not None and end < start):
            raise InvalidPointer(f"{text!r} selects nothing", hint="rows count from 1, the header is row 1")
        return Rows(start, end)
    raise InvalidPointer(
        f"{text!r} is no selector", hint="use /json/pointer, line=a,b, row=a-b, row=a-* or byte=a,b"
    )


def _range(found: "re.Match[str]") -> Selector:
    """Read ``unit=a,b``. One position alone names the line that begins there."""
    start, end = found["start"], found["end"]
    bare = found["comma"] is None
    if (bare and not start) or not (start or end) or (found["unit"] == "byte" and not (start and end)):
        raise InvalidPointer(f"{found[0]!r} has no range", hint="use line=a,b, line=a, line=,b or byte=a,b")
    first = int(start or 0)
    last = first + 1 if bare else int(end) if end else None
    if last is not None and last <= first:
        raise InvalidPointer(
            f"{found[0]!r} selects nothing", hint="positions count from 0; the end comes later"
        )
    if found["unit"] == "byte":
        assert last is not None
        return Bytes(first, last)
    return Lines(first, last)


def _token(token: str) -> str:
    """Undo percent-encoding, then ``~1`` and ``~0``, in this order (RFC 6901, sections 4 and 6)."""
    try:
        escaped = token.encode("utf-8", "surrogatepass")
        text = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), escaped).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise InvalidPointer(f"{token!r} is not percent-encoded UTF-8") from None
    if re.search(r"~(?![01])", text):
        raise InvalidPointer(f"{token!r} has a ~ that is neither ~0 nor ~1")
    return text.replace("~1", "/").replace("~0", "~")
