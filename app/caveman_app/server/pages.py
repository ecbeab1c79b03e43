"""Exact originals in bounded pages: the pages' bytes in a row are the original. Pure.

A page of an original that is UTF-8 is text, cut between characters and at a line end where one is near; any other
original comes as base64. Nothing is ever left out of a page or put into it.
"""

import base64
from dataclasses import dataclass
from typing import Any

from caveman_app.server.tool import Answer
from caveman_engine.errors import UsageError
from caveman_engine.tokens import count


@dataclass(frozen=True, slots=True)
class Page:
    """Bytes ``offset`` to ``next`` (None: to the end) of ``total``, as ``text`` in ``encoding``."""

    text: str
    encoding: str
    offset: int
    next: int | None
    total: int

    def answer(self, **more: Any) -> Answer:
        """Give the page alone as the first text, and what is to be known of it as figures."""
        figures: dict[str, Any] = {
            **more,
            "offset": self.offset,
            "next": self.next,
            "total_bytes": self.total,
        }
        if self.encoding != "utf-8":
            figures |= {
                "encoding": self.encoding,
                "note": "not UTF-8 text: the page is base64 of the exact bytes",
            }
        return Answer(self.text, figures)


def page(data: bytes, offset: int, max_tokens: int) -> Page:
    """Give the page that begins at a byte ``offset``, of at most ``max_tokens`` tokens (0: all of the rest).

    Raises:
        UsageError: the offset is beyond the end, or inside a character.
    """
    if offset > len(data):
        raise UsageError(f"offset {offset:,} is beyond the end", hint=f"there are {len(data):,} bytes")
    encoding = "utf-8" if _is_text(data) else "base64"
    if encoding == "utf-8" and offset < len(data) and data[offset] & 0xC0 == 0x80:
        raise UsageError(f"offset {offset:,} is inside a character", hint="pass the offset that `next` gave")
    end = _end(data, offset, max_tokens, encoding) if max_tokens else len(data)
    return Page(
        _shown(data[offset:end], encoding), encoding, offset, end if end < len(data) else None, len(data)
    )


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _shown(data: bytes, encoding: str) -> str:
    return data.decode("utf-8") if encoding == "utf-8" else base64.b64encode(data).decode("ascii")


def _end(data: bytes, offset: int, max_tokens: int, encoding: str) -> int:
    """Find where the page ends: as far as the bound lets it, by a few counts."""
    size = 4 * max_tokens
    while True:
        end = min(offset + size, len(data))
        if encoding == "utf-8":
            end = _boundary(data, offset, end)
        tokens = count(_shown(data[offset:end], encoding))
        if tokens <= max_tokens or end - offset <= 4:
            return end
        size = min(size - 1, int((end - offset) * max_tokens / tokens * 0.98))


def _boundary(data: bytes, start: int, end: int) -> int:
    """Move an end back to a line end in the last quarter, else to the start of a character."""
    if end == len(data):
        return end
    line = data.rfind(b"\n", start + (end - start) * 3 // 4, end) + 1
    if line:
        return line
    while end > start + 1 and data[end] & 0xC0 == 0x80:
        end -= 1
    if end == start + 1:
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
    return end
