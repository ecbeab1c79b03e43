"""The server's tools over the memory: remember, recall, list, supersede, history, forget, recover."""

from typing import Any

from caveman_app.server.engine_tools import BOUND
from caveman_app.server.pages import page
from caveman_app.server.tool import COUNT, TEXT, WORDS, Answer, Tool
from caveman_engine.tokens import count
from caveman_mem.memory import Memory
from caveman_mem.reply import header, text_reply
from caveman_mem.scopes import scope_here
from caveman_mem.store import MemoryStore

_CAUTION = "Facts can be wrong or stale; dates say when each was stored.\n\n"
_LISTED = 50
_VERSIONS = 60


class MemoryTools:
    """The memory as one session of the server uses it. ``source`` says which agent remembers."""

    def __init__(self, session: str, *, scope: str | None, secrets: str) -> None:
        self.store = MemoryStore.open(secrets=secrets)
        self.source = "agent:unknown"
        self._session = session
        self._scope = scope or scope_here()

    def tools(self) -> list[Tool]:
        """Give the tools."""
        return [
            Tool(
                "mem_remember",
                "Store a fact that outlasts this session: decision, preference, where something is. One fact a call.",
                {
                    "text": TEXT,
                    "tags?": WORDS,
                    "kind?": TEXT,
                    "scope?": {**TEXT, "description": "default: this project"},
                },
                self.remember,
                reads=False,
                idempotent=True,
            ),
            Tool(
                "mem_recall",
                "Ask before you search or ask the user again: facts from earlier sessions. They can be wrong or stale.",
                {
                    "query": TEXT,
                    "limit?": COUNT,
                    "budget?": {**COUNT, "description": "tokens"},
                    "tags?": WORDS,
                    "since?": {**TEXT, "description": "date"},
                    "as_of?": {**TEXT, "description": "what was believed then"},
                },
                self.recall,
            ),
            Tool(
                "mem_list",
                "List facts, newest first.",
                {"tags?": WORDS, "limit?": COUNT, "after?": TEXT},
                self.listed,
            ),
            Tool(
                "mem_supersede",
                "A fact has changed: replace its text, keep its history.",
                {"id": TEXT, "text": TEXT},
                self.supersede,
                reads=False,
            ),
            Tool("mem_history", "All versions of a fact.", {"id": TEXT}, self.history),
            Tool(
                "mem_forget",
                "Erase a fact for good, when asked to.",
                {"id": TEXT},
                self.forget,
                reads=False,
                destroys=True,
                idempotent=True,
            ),
            Tool(
                "mem_recover",
                "Whole text of a fact that recall cut; takes its handle or id.",
                {"recovery_handle": TEXT, "offset?": COUNT},
                self.recover,
            ),
        ]

    def remember(
        self, *, text: str, tags: list[str] | None = None, kind: str | None = None, scope: str | None = None
    ) -> Answer:
        """Store a fact."""
        memory = self.store.remember(
            text,
            scope=scope or self._scope,
            tags=tags or (),
            kind=kind,
            source=self.source,
            session=self._session,
        )
        return Answer(
            f"{'already known' if memory.already_known else 'remembered'}: {memory.id} in {memory.scope}"
        )

    def recall(self, *, query: str, limit: int = 5, budget: int = 2000, **filters: Any) -> Answer:
        """Give the facts that answer, in a reply within the budget, the caution included."""
        caution = count(_CAUTION)
        room = max(budget - caution, 20) if budget else 0
        found = self.store.recall(query, limit=max(limit, 1), budget=room, scope=self._scope, **filters)
        if not found.hits:
            return Answer(found.note or "nothing is known about that")
        text = _CAUTION + found.reply
        return Answer(text if not budget or count(text) <= budget else found.reply)

    def listed(
        self, *, tags: list[str] | None = None, limit: int = _LISTED, after: str | None = None
    ) -> Answer:
        """Give facts with their dates, as many as fit; ``next`` goes on behind the last."""
        facts = self.store.list(
            scope=self._scope, tags=tags or (), limit=max(limit, 1) + 1, after=after, newest=True
        )
        shown: list[Memory] = []
        used = 40
        for fact in facts[: max(limit, 1)]:
            used += (fact.tokens or count(fact.text)) + 30
            if used > BOUND and shown:
                break
            shown.append(fact)
        text = text_reply([(self._header(fact), _bounded(fact)) for fact in shown])
        more = len(shown) < len(facts)
        return Answer(text or "no facts", {"next": shown[-1].id if more and shown else None})

    def supersede(self, *, id: str, text: str) -> Answer:  # noqa: A002
        """Replace a fact."""
        memory = self.store.supersede(id, text, source=self.source, session=self._session)
        return Answer(f"superseded: {id} is now {memory.id}")

    def history(self, *, id: str) -> Answer:  # noqa: A002
        """Give all versions, oldest first."""
        versions = self.store.history(id)
        shown = versions if len(versions) <= _VERSIONS else [versions[0], *versions[1 - _VERSIONS :]]
        blocks = [
            (self._header(version, "" if version.current else "superseded"), _bounded(version, len(shown)))
            for version in shown
        ]
        left_out = len(versions) - len(shown)
        return Answer(text_reply(blocks), {"left_out_after_the_first": left_out} if left_out else None)

    def forget(self, *, id: str) -> Answer:  # noqa: A002
        """Erase a fact."""
        gone = self.store.forget(id)
        erased = "" if gone.erased else "; a reader still holds old pages, the next write erases them"
        return Answer(f"forgotten: {', '.join(gone.ids)}{erased}")

    def recover(self, *, recovery_handle: str, offset: int = 0) -> Answer:
        """Give a page of the exact bytes."""
        return page(self.store.recover(recovery_handle), offset, BOUND).answer()

    def _header(self, fact: Any, note: str = "") -> str:
        return header(fact, self._scope, note)


def _bounded(fact: Memory, parts: int = 1) -> str:
    """Give a fact's text, or its beginning and the way to the rest when it alone would fill the answer."""
    room = BOUND // (2 * parts)
    if (fact.tokens or count(fact.text)) <= room:
        return fact.text
    beginning = page(fact.text.encode(), 0, room // 2).text
    return f"{beginning}\n[caveman: the beginning; whole: mem_recover {fact.id}]"
