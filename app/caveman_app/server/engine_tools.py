"""The server's tools over the engine: compress, retrieve, stats, TOON. Records what they do in the ledger."""

import json
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from caveman_app.server.pages import page
from caveman_app.server.tool import COUNT, TEXT, Answer, Tool
from caveman_engine import ledger
from caveman_engine.errors import UsageError
from caveman_engine.recovery.pointers import parse
from caveman_engine.tokens import count

if TYPE_CHECKING:
    from caveman_engine.engine import Engine, Result

BOUND = 8000
"""Tokens of an answer when the caller names no bound."""
QUERY_BOUND = 2000


class EngineTools:
    """The engine as a session of the server uses it. ``overhead`` gives the tokens of the catalogue."""

    def __init__(self, session: str, overhead: Callable[[], int]) -> None:
        self._session = session
        self._overhead = overhead
        self._opening = Lock()
        self._opened: Engine | None = None

    @property
    def _engine(self) -> "Engine":
        """Give the engine; its modules are loaded when the first tool needs them."""
        from caveman_engine.engine import Engine

        with self._opening:
            if self._opened is None:
                self._opened = Engine.open(way_back="caveman_retrieve {handle}")
            return self._opened

    def tools(self) -> list[Tool]:
        """Give the tools."""
        return [
            Tool(
                "caveman_compress",
                "Shrink a long log, JSON, diff, page, code or search output before you work with it. The exact input "
                "stays under recovery_handle.",
                {
                    "input": TEXT,
                    "content_type?": TEXT,
                    "query?": {**TEXT, "description": "what must stay visible"},
                    "max_tokens?": COUNT,
                },
                self.compress,
                reads=False,
                idempotent=True,
            ),
            Tool(
                "caveman_retrieve",
                "Get back what a view left out. With query: only the parts that match. Without: exact bytes; pass "
                "`next` as offset for more.",
                {
                    "recovery_handle": TEXT,
                    "query?": TEXT,
                    "selector?": {**TEXT, "description": "line=10,20 | row=5-7 | /json/pointer"},
                    "offset?": COUNT,
                    "max_tokens?": {**COUNT, "description": "0: no bound"},
                },
                self.retrieve,
            ),
            Tool("caveman_stats", "Tokens saved: this session, all time.", {}, self.stats),
            Tool(
                "caveman_toon_encode",
                "JSON to TOON, when it must be shorter and complete.",
                {"input": TEXT},
                encode,
            ),
            Tool("caveman_toon_decode", "TOON to JSON.", {"input": TEXT}, decode),
        ]

    def compress(
        self,
        *,
        input: str,  # noqa: A002
        content_type: str | None = None,
        query: str | None = None,
        max_tokens: int | None = None,
    ) -> Answer:
        """Give the view; an input that passes through is not repeated beyond the bound, the caller has it."""
        from caveman_engine.registry import BY_NAME

        if content_type is not None and content_type not in BY_NAME:
            raise UsageError("there is no such content_type", hint="types: " + ", ".join(BY_NAME))
        data = input.encode("utf-8", "surrogatepass")
        make = partial(self._engine.compress, data, kind=content_type, query=query or None)
        result = make(max_tokens=max_tokens or None)
        # A bound is a budget to be used: asked for at once it would make small views larger.
        if max_tokens is None and _tokens(result) > BOUND:
            result = make(max_tokens=BOUND)
        self._record(result, len(data))
        bound = BOUND if max_tokens is None else max_tokens
        text = result.output.decode("utf-8", "replace")
        if result.reason and bound and _tokens(result) > bound:
            text = "[caveman: the input passes through unchanged and is not repeated here]"
        return Answer(text, _figures(result))

    def retrieve(
        self,
        *,
        recovery_handle: str,
        query: str | None = None,
        selector: str | None = None,
        offset: int = 0,
        max_tokens: int | None = None,
    ) -> Answer:
        """Give a page of the exact bytes, or the view of a query."""
        reference = _reference(recovery_handle, selector)
        if query and query.strip():
            bound = QUERY_BOUND if max_tokens is None else max_tokens
            found = self._engine.retrieve(reference, query, bound)
            self._retrieved(reference)
            if not isinstance(found, bytes):
                figures = {
                    "matched": found.matched,
                    "units": found.units,
                    "shown": found.shown,
                    "next": found.next,
                }
                return Answer(found.text, figures)
        data = self._engine.retrieve(reference)
        self._retrieved(reference)
        return page(data, offset, BOUND if max_tokens is None else max_tokens).answer()

    def stats(self) -> Answer:
        """Give the figures of this session and of all time, apart; all counts are local."""
        store = self._engine.stats()
        figures = {
            "basis": "inferred",
            "session": _totals(self._session) | {"catalogue_tokens": self._overhead()},
            "all_time": _totals(None),
            "store": {"records": store.records, "bytes": store.stored_bytes, "max_bytes": store.max_bytes}
            if store
            else None,
        }
        return Answer(json.dumps(figures, ensure_ascii=False))

    def _record(self, result: "Result", size: int) -> None:
        ledger.record(
            ledger.Event(
                "compress",
                source="mcp",
                session=self._session,
                content_type=result.content_type,
                tokens_in=result.tokens_before or 0,
                tokens_out=result.tokens_after or 0,
                bytes_in=size,
                bytes_out=len(result.output),
                reason=result.reason,
                handle=result.recovery_handle,
            )
        )

    def _retrieved(self, reference: str) -> None:
        handle = parse(reference).id
        ledger.record(ledger.Event("retrieve", source="mcp", session=self._session, handle=handle))


def _tokens(result: "Result") -> int:
    """Give the tokens of what is shown; of an input that was never counted, at least an estimate."""
    return len(result.output) // 4 if result.tokens_after is None else result.tokens_after


def encode(*, input: str) -> Answer:  # noqa: A002
    """Give a JSON text as TOON."""
    from caveman_engine.compressors.toon import encode as encoded

    return _whole(encoded(input))


def decode(*, input: str) -> Answer:  # noqa: A002
    """Give a TOON text as JSON."""
    from caveman_engine.compressors.toon import decode as decoded

    return _whole(decoded(input))


def _whole(text: str) -> Answer:
    """Give a text that is of use only as a whole."""
    if (tokens := count(text)) > BOUND:
        raise UsageError(
            f"the result has {tokens:,} tokens, more than {BOUND:,}", hint="caveman tools toon FILE"
        )
    return Answer(text)


def _reference(handle: str, selector: str | None) -> str:
    """Join a reference and a selector of its own into a pointer."""
    if not selector:
        return handle
    pointer = parse(handle)
    if pointer.selector is not None:
        raise UsageError("two selectors", hint="the handle has one already: leave selector out")
    return f"ccr://{pointer.id}#{selector.removeprefix('#')}"


def _figures(result: "Result") -> dict[str, Any]:
    return {
        "ratio": result.ratio,
        "tokens_before": result.tokens_before,
        "tokens_after": result.tokens_after,
        "recovery_handle": result.recovery_handle,
        "basis": result.basis,
        "reason": result.reason,
    }


def _totals(session: str | None) -> dict[str, int]:
    found = ledger.totals(session)
    return {
        "inputs": found.inputs,
        "views": found.views,
        "retrieves": found.retrieves,
        "tokens_before": found.tokens_before,
        "tokens_after": found.tokens_after,
        "tokens_saved": found.tokens_before - found.tokens_after,
    }
