"""One answer of a recall, and whether a reply of them fits a budget. Shapes and sums; on the start-up path.

A plain class: dataclasses alone would cost more than the search.
"""

from caveman_engine.database import Database
from caveman_mem.reply import header, text_reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from caveman_mem.search import Found


class Hit:
    """One fact as it is shown.

    ``text`` is the whole fact, or the passage that matched when ``whole`` is False; ``recovery_handle`` then gives
    the exact bytes (None where the text is whole: ``recover`` takes the id as well). ``score`` is BM25 with
    context, comparable within one reply only. ``matched``: the query's terms that the fact holds. ``created_at``:
    nanoseconds UTC. ``tokens``: o200k_base count of the whole fact, None where it was never counted.
    """

    __slots__ = (
        "created_at",
        "id",
        "kind",
        "matched",
        "number",
        "pinned",
        "recovery_handle",
        "scope",
        "score",
        "session",
        "source",
        "tags",
        "text",
        "tokens",
        "whole",
    )

    def __init__(
        self, found: "Found", row: "tuple[str, str, str, str | None, str, str | None, int | None]"
    ) -> None:
        self.number = found.number
        self.score = round(found.score, 4)
        self.matched = tuple(found.matched)
        self.created_at = found.created_at
        self.pinned = bool(found.pinned)
        self.session = found.session
        self.id, self.text, self.scope, self.kind, self.source, tags, self.tokens = row
        self.tags = tuple(tags.split("\x1f")) if tags else ()
        self.whole = True
        self.recovery_handle: str | None = None

    def cut(self, text: str, handle: str | None) -> "Hit":
        """Give the same hit showing only ``text`` of the fact; "" shows nothing but its id."""
        part = object.__new__(Hit)
        for name in Hit.__slots__:
            setattr(part, name, getattr(self, name))
        part.text, part.whole, part.recovery_handle = text, False, handle
        return part

    def __repr__(self) -> str:
        return f"Hit(id={self.id!r}, score={self.score}, text={self.text[:60]!r})"


def load(database: Database, found: "Sequence[Found]") -> list[Hit]:
    """Read what is shown of facts, keeping their order."""
    numbers = [item.number for item in found]
    rows = {
        row[0]: row[1:]
        for row in database.rows(
            "SELECT number, id, text, scope, kind, source,"
            " (SELECT group_concat(value, char(31)) FROM json_each(tags)), tokens"
            f" FROM memory WHERE number IN ({', '.join('?' * len(numbers))})",
            numbers,
        )
    }
    return [Hit(item, rows[item.number]) for item in found if item.number in rows]


def whole_reply(hits: "Sequence[Hit]", scope: str | None) -> str:
    """Give the reply with every fact in full."""
    return text_reply([(header(hit, scope), hit.text) for hit in hits])


def surely_fits(hits: "Sequence[Hit]", reply: str, budget: int) -> bool:
    """Tell without a tokenizer that a whole reply is within ``budget`` tokens (0: any is).

    No text has more tokens than bytes of UTF-8; where a fact was counted its count stands for its bytes.
    """
    if not budget:
        return True
    bound = len(reply.encode("utf-8", "replace"))
    bound -= sum(
        len(hit.text.encode("utf-8", "replace")) - hit.tokens for hit in hits if hit.tokens is not None
    )
    return bound <= budget
