"""The pipeline: bytes in, a smaller view out, the original safe first. Owns the gates and their reasons.

The order that nothing may break: a candidate is measured with marker and footer; the original is committed;
only then the view is returned. Any failure on the way gives the input back, byte for byte, with a reason.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

from caveman_engine import choice, markers, payload
from caveman_engine.errors import BudgetExceeded, InputTooLarge, StoreTrouble
from caveman_engine.tokens import Counter, default_counter
from caveman_engine.views import Compressor, View

if TYPE_CHECKING:
    from caveman_engine.recovery import RecoveryStore, StoreStats
    from caveman_engine.retrieve import View as Excerpt

LIMIT = 64 * 1024 * 1024
MODES = ("compress", "record")


@dataclass(frozen=True, slots=True)
class Settings:
    """What config.toml may change: types switched off, and the least saving that is worth a view."""

    types_off: frozenset[str] = frozenset()
    min_saving_tokens: int = 50
    min_saving_share: float = 0.10


@dataclass(frozen=True, slots=True)
class Result:
    """What compress gives back. ``output`` is the input itself when ``reason`` says why it passed through.

    ``detail`` is what the store said when it could not keep the original.
    ``ratio`` is the part removed (0 to 1). Counts are local and ``basis`` is always "inferred".
    """

    output: bytes
    content_type: str
    compressor: str | None = None
    method: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    ratio: float = 0.0
    token_count_basis: str | None = None
    basis: str = "inferred"
    recovery_handle: str | None = None
    lossless: bool = True
    reason: str | None = None
    detail: str | None = None
    unit: str | None = None
    shown: int | None = None
    total: int | None = None


class Engine:
    """Compress, simulate, retrieve, detect, stats over one recovery store (None: only lossless views).

    ``way_back`` is how the footer tells the reader to get the original; ``{handle}`` stands for the handle.
    ``clock`` gives seconds and bounds the work on one input.
    """

    def __init__(
        self,
        store: "RecoveryStore | None" = None,
        counter: Counter | None = None,
        *,
        settings: Settings | None = None,
        way_back: str = "caveman tools retrieve {handle}",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._given_counter = counter
        self._settings = settings or Settings()
        self._way_back = way_back
        self._clock = clock

    @classmethod
    def open(cls, *, way_back: str = "caveman tools retrieve {handle}") -> "Engine":
        """Open the engine as commands and servers use it: the user's store and the user's settings.

        Raises:
            Refused: the store's path or a setting is not acceptable.
        """
        from caveman_engine import config
        from caveman_engine.recovery import RecoveryStore

        found = config.load()
        off = [row.key.removeprefix("engine.types.") for row in found.all() if row.value is False]
        settings = Settings(
            types_off=frozenset(off),
            min_saving_tokens=found.get("engine.min_saving_tokens"),
            min_saving_share=found.get("engine.min_saving_share"),
        )
        return cls(RecoveryStore.open(), settings=settings, way_back=way_back)

    @property
    def _counter(self) -> Counter:
        """Load the tokenizer on first need: a retrieve or a tiny input never pays for it."""
        return self._given_counter or default_counter()

    def compress(
        self,
        data: bytes | str,
        *,
        kind: str | None = None,
        query: str | None = None,
        max_tokens: int | None = None,
        mode: str = "compress",
    ) -> Result:
        """Give a smaller view with the original stored, or the input itself and the reason.

        Raises:
            InputTooLarge: more than 64 MiB.
            Refused: the store's path or a setting is not acceptable.
        """
        data = _as_bytes(data)
        result = self._candidate(data, kind, query, max_tokens, mode)
        if result.reason or self._store is None:
            return result
        return self._publish(self._store, data, result, query)

    def simulate(
        self,
        data: bytes | str,
        *,
        kind: str | None = None,
        query: str | None = None,
        max_tokens: int | None = None,
        mode: str = "compress",
    ) -> Result:
        """Give what compress would, and write nothing: the handle stands in the view but resolves nowhere."""
        return self._candidate(_as_bytes(data), kind, query, max_tokens, mode)

    @overload
    def retrieve(self, ref: str) -> bytes: ...
    @overload
    def retrieve(self, ref: str, query: str | None, max_tokens: int = 2000) -> "bytes | Excerpt": ...
    def retrieve(self, ref: str, query: str | None = None, max_tokens: int = 2000) -> "bytes | Excerpt":
        """Give the exact original or selected part; with a query, a bounded view of the units that match.

        Raises:
            UnknownHandle, RecoveryUnavailable, InvalidPointer, SelectorNotFound, Mismatch: see errors.py.
        """
        if self._store is None:
            raise StoreTrouble("this engine has no recovery store", hint="Engine(store=RecoveryStore.open())")
        original = self._store.get(ref)
        if not query or not query.strip():
            return original
        from caveman_engine.retrieve import view as excerpt

        kind = self._store.metadata(ref).content_type
        return excerpt(original, query, content_type=kind, max_tokens=max_tokens, count=self._counter.count)

    def detect(self, data: bytes | str) -> list[tuple[str, float]]:
        """Give the ranked guesses of the content type."""
        data = _as_bytes(data)
        if payload.is_binary(data):
            return [("binary", 1.0)]
        from caveman_engine import detect

        ranked = detect.rank(payload.parse(data), self._settings.types_off)
        return [(compressor.name, score) for score, compressor in ranked]

    def stats(self) -> "StoreStats | None":
        """Give the recovery store's figures."""
        return self._store.stats() if self._store else None

    def _candidate(
        self, data: bytes, kind: str | None, query: str | None, max_tokens: int | None, mode: str
    ) -> Result:
        """Make and measure the view; everything but the storing."""
        if len(data) > LIMIT:
            raise InputTooLarge(f"{len(data):,} bytes; the limit is {LIMIT:,}", hint="compress it in parts")
        if mode != "compress":
            return Result(data, kind or "unknown", reason="record_mode")
        if payload.is_binary(data):
            return Result(data, "binary", reason="unknown_type")
        if len(data) < self._settings.min_saving_tokens:
            return self._passed(data, kind or "text", "too_small")
        if markers.ends_in_footer(data):
            return self._passed(data, kind or "text", "own_output")
        before = self._counter.count(payload.decode(data)[0])
        if before < 2 * self._settings.min_saving_tokens:
            return self._passed(data, kind or "text", "too_small", before)
        return self._compressed(data, before, kind, query or None, max_tokens or None)

    def _compressed(
        self, data: bytes, before: int, kind: str | None, query: str | None, max_tokens: int | None
    ) -> Result:
        look = payload.parse(data)
        candidates, sure = self._compressors(look, kind, max_tokens)
        if not candidates:
            off = kind is not None and kind in self._settings.types_off
            return self._passed(data, kind or "unknown", "type_disabled" if off else "unknown_type", before)
        handle = self._handle(data)
        budget = self._budget(look, before, query, max_tokens)
        deadline = self._clock() + 2.0 + 2.0 * len(data) / 1_000_000
        best = choice.best(
            look,
            candidates,
            budget,
            measure=lambda view: self._counter.count(self._published(look, view, handle)),
            lossy=self._store is not None,
            late=lambda: self._clock() > deadline,
            sure=sure,
        )
        name = candidates[0].name
        if best is None:
            late = self._clock() > deadline
            return self._passed(data, name, "time_limit" if late else "not_smaller", before)
        saved = before - best.tokens
        least = max(self._settings.min_saving_tokens, self._settings.min_saving_share * before)
        if saved < least:
            only_lossless = self._store is None and not best.view.lossless
            return self._passed(data, name, "no_store" if only_lossless else "not_smaller", before)
        return self._result(self._published(look, best.view, handle), best, before, handle)

    def _handle(self, data: bytes) -> str | None:
        """Give the handle that the original will have; None without a store."""
        if self._store is None:
            return None
        from caveman_engine.recovery.pointers import handle_of

        return handle_of(data)

    def _budget(
        self, look: payload.Payload, before: int, query: str | None, max_tokens: int | None
    ) -> choice.Budget:
        # Colour codes and redraws are tokens of the input, but no measure of how much text a token buys.
        plain = max_tokens and len(look.text) < 0.95 * len(look.raw)
        counted = self._counter.count(look.text) if plain else before
        return replace(choice.Budget.of(len(look.text), counted, query, max_tokens), tokens_before=before)

    def _compressors(
        self, look: payload.Payload, kind: str | None, max_tokens: int | None
    ) -> tuple[list[Compressor], bool]:
        """Give the compressors to try: the named one, or the best guesses; with a bound, text as the last.

        And whether the first is sure: its structure was recognised.
        """
        # Imported here: a retrieve has no use for the compressors, and they take a third of its time.
        from caveman_engine import detect
        from caveman_engine.registry import BY_NAME

        off: Collection[str] = self._settings.types_off
        if kind is not None:
            return ([BY_NAME[kind]] if kind in BY_NAME and kind not in off else []), True
        ranked = detect.rank(look, off)
        near = [compressor for score, compressor in ranked if score >= 0.5 * ranked[0][0]][:3]
        last = BY_NAME["text"]
        if max_tokens and last not in near and last.name not in off:
            near.append(last)
        return near, bool(ranked) and ranked[0][0] >= detect.RECOGNISED

    def _result(self, text: str, best: "choice.Measured", before: int, handle: str | None) -> Result:
        view = best.view
        return Result(
            output=text.encode("utf-8", "replace"),
            content_type=best.compressor.name,
            compressor=best.compressor.name,
            method=view.method,
            tokens_before=before,
            tokens_after=best.tokens,
            ratio=round(1 - best.tokens / before, 4),
            token_count_basis=self._counter.basis,
            recovery_handle=handle,
            lossless=view.lossless,
            unit=view.unit,
            shown=view.shown,
            total=view.total,
        )

    def _published(self, look: payload.Payload, view: View, handle: str | None) -> str:
        """Give the final text: wrapper, view, and with a store the footer."""
        body = look.head + view.text
        if body and not body.endswith("\n"):
            body += "\n"
        body += look.tail
        if handle is None:
            return body
        if not body.endswith("\n"):
            body += "\n"
        return body + markers.footer(view, self._way_back.format(handle=handle)) + "\n"

    def _publish(self, store: "RecoveryStore", data: bytes, result: Result, query: str | None) -> Result:
        """Commit the original; only then hand out the view."""
        from caveman_engine.recovery import Record

        record = Record(
            content_type=result.content_type,
            compressor=result.compressor or "",
            tokens_before=result.tokens_before or 0,
            tokens_after=result.tokens_after or 0,
            view_bytes=len(result.output),
            metadata={"method": result.method, "query": query} if query else {"method": result.method},
        )
        try:
            store.put(record, data)
        except (StoreTrouble, OSError) as error:
            reason = "store_full" if isinstance(error, BudgetExceeded) else "store_failed"
            passed = self._passed(data, result.content_type, reason, result.tokens_before)
            return replace(passed, detail=str(error))
        return result

    def _passed(self, data: bytes, content_type: str, reason: str, before: int | None = None) -> Result:
        """Give the input back with the reason and, where it is known or cheap, its count."""
        if before is None and len(data) < 100_000:
            before = self._counter.count(payload.decode(data)[0])
        basis = self._counter.basis if before is not None else None
        passed = Result(data, content_type, tokens_before=before, tokens_after=before, reason=reason)
        return replace(passed, token_count_basis=basis)


def _as_bytes(data: bytes | str) -> bytes:
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
