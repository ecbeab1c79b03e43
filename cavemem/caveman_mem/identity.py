"""Which facts are the same, and which texts may be a fact. Pure; on the start-up path.

Identity is over NFC text with white space runs folded and trimmed. What is stored is the text as given.
"""

from caveman_mem.errors import BlankMemory, MemoryTooLarge, NotText

LIMIT = 256 * 1024  # bytes of UTF-8


def folded(text: str) -> str:
    """Give the text that decides identity: NFC, white space runs as one space, trimmed."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFC", text)
    return " ".join(text.split())


def memory_id(scope: str, folded_text: str, occurrence: int = 0) -> str:
    """Give ``mem_`` and 16 hex digits of SHA-256 over scope, text and occurrence, NUL-joined."""
    from hashlib import sha256

    key = "\0".join((scope, folded_text, str(occurrence)))
    return "mem_" + sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_id(word: str) -> bool:
    """Tell a memory id by its form."""
    return len(word) == 20 and word.startswith("mem_") and not word[4:].strip("0123456789abcdef")


def storable(text: str) -> str:
    """Give what may be stored of a text: without its ``<private>`` parts, not blank, within the limit.

    Raises:
        NotText, BlankMemory, MemoryTooLarge: it may not be stored.
    """
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise NotText(
            "the text holds code points that are no characters", where=f"at {error.start}"
        ) from None
    if "<private" in text.casefold():
        text = _without_private(text)
    if not text.strip():
        raise BlankMemory(
            "there is nothing to remember", hint="caveman mem remember 'the build runs on Node 22'"
        )
    if size > LIMIT:
        raise MemoryTooLarge(
            f"{size:,} bytes; a memory holds at most {LIMIT:,}",
            hint="keep the document as a file and remember where it is",
        )
    return text


def _without_private(text: str) -> str:
    """Cut the private parts, the outermost of nested ones; one that is not closed goes to the end of the text."""
    import re

    kept = []
    depth = end = 0
    for mark in re.finditer(r"<(/?)private\b[^>]*(?:>|\Z)", text, re.IGNORECASE):
        if depth == 0:
            kept.append(text[end : mark.start()])
        depth = max(0, depth - 1) if mark[1] else depth + 1
        end = mark.end()
    if depth == 0:
        kept.append(text[end:])
    return "".join(kept).strip()
