"""How facts are shown to a reader: one header line each, then the text. Pure; on the start-up path.

The header is also how the tool knows its own output when that is handed back to it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from caveman_mem.hits import Hit
    from caveman_mem.memory import Memory

DOT = " · "


def header(item: "Hit | Memory", scope: str | None = None, note: str = "") -> str:
    """Give ``[id · date · scope · #tag · source · note]``, without the parts that go without saying."""
    parts = [item.id, day(item.created_at)]
    if item.scope != scope:
        parts.append(item.scope)
    parts += ["#" + tag for tag in item.tags]
    if item.source != "user":
        parts.append(item.source)
    if note:
        parts.append(note)
    return "[" + DOT.join(parts) + "]"


def text_reply(hits: "Sequence[tuple[str, str]]", omitted: "Sequence[str]" = (), more: int = 0) -> str:
    """Join (header, text) pairs; name what was left out. ``more``: how many of those are not named."""
    blocks = [f"{head}\n{text}" if text else head for head, text in hits]
    if omitted or more:
        named = f": {' '.join(omitted)}" if omitted else ""
        blocks.append(f"{len(omitted) + more} more{named}")
    return "\n\n".join(blocks) + "\n" if blocks else ""


def day(nanoseconds: int) -> str:
    """Give the date of a time in the user's zone."""
    from time import localtime, strftime

    return strftime("%Y-%m-%d", localtime(nanoseconds // 1_000_000_000))


def is_own_output(text: str) -> bool:
    """Tell a reply of this tool: text that begins with a header, or the JSON of a recall or list."""
    start = text.lstrip()
    if start.startswith("[mem_") and start[21:24] == DOT:
        return not start[5:21].strip("0123456789abcdef")
    return start.startswith(('{"hits": [{"id": "mem_', '{"memories": [{"id": "mem_'))
