"""What `caveman stats` shows: the ledger's sums, the shares that say whether a view was too small, sizes of stores.

Owns the figures and their names. Every count is local and inferred; footers are inside the counts of views, the
catalogue of tools is counted against each session of the server.
"""

from typing import Any

from caveman_engine import ledger
from caveman_engine.ledger import TypeTotal

# A type whose views are followed by a recovery more often than this hides too much.
TOO_AGGRESSIVE = 0.30
_FEWEST_VIEWS = 5


def figures() -> dict[str, Any]:
    """Give all figures as ``--json`` shows them.

    Raises:
        CavemanError: a store is there and cannot be read.
    """
    from caveman_app.mcp import catalogue_tokens

    totals = ledger.totals()
    saved = totals.tokens_before - totals.tokens_after
    catalogue = catalogue_tokens() * totals.sessions
    return {
        "basis": "inferred",
        "inputs": totals.inputs,
        "views": totals.views,
        "pass_throughs": totals.by_reason,
        "retrieves": totals.retrieves,
        "failed_commands": totals.failed_commands,
        "tokens_before": totals.tokens_before,
        "tokens_after": totals.tokens_after,
        "tokens_saved": saved,
        "overhead": {
            "sessions": totals.sessions,
            "catalogue_tokens": catalogue,
            "footers": "inside tokens_after",
        },
        "tokens_saved_net": saved - catalogue,
        "by_type": [_by_type(row) for row in totals.by_type],
        "by_source": totals.by_source,
        "by_day": [
            {"day": day, "tokens_before": old, "tokens_after": new} for day, old, new in totals.by_day
        ],
        "recovery_store": _recovery(),
        "memory": _memory(),
    }


def _by_type(row: TypeTotal) -> dict[str, Any]:
    share = row.recovered / row.views if row.views else 0.0
    return {
        "content_type": row.content_type,
        "inputs": row.inputs,
        "views": row.views,
        "tokens_before": row.tokens_before,
        "tokens_after": row.tokens_after,
        "ratio": round(1 - row.tokens_after / row.tokens_before, 4) if row.tokens_before else 0.0,
        "recovered": row.recovered,
        "recovered_share": round(share, 4),
        "too_aggressive": row.views >= _FEWEST_VIEWS and share > TOO_AGGRESSIVE,
    }


def _recovery() -> dict[str, Any]:
    from caveman_engine.recovery import RecoveryStore

    with RecoveryStore.open() as store:
        found = store.stats()
    return {
        "records": found.records,
        "stored_bytes": found.stored_bytes,
        "max_bytes": found.max_bytes,
        "physical_bytes": found.physical_bytes,
        "full": found.full,
    }


def _memory() -> dict[str, Any]:
    from caveman_mem.store import MemoryStore

    with MemoryStore.open() as store:
        found = store.stats()
    return {
        "facts": found.facts,
        "current": found.current,
        "tokens": found.tokens,
        "file_bytes": found.file_bytes,
        "copies_bytes": found.copies_bytes,
    }


def as_text(found: dict[str, Any]) -> str:
    """Give the figures for a terminal."""
    overhead = found["overhead"]
    local = f"({found['basis']}: local counts, not a provider's bill)"
    spent = (
        f"{overhead['catalogue_tokens']:,} spent on the tool catalogues of {overhead['sessions']:,} sessions"
    )
    lines = [
        f"{found['inputs']:,} inputs, {found['views']:,} views, {found['retrieves']:,} recoveries {local}",
        f"{found['tokens_before']:,} -> {found['tokens_after']:,} tokens, {found['tokens_saved']:,} saved",
        f"{spent}, net {found['tokens_saved_net']:,}",
    ]
    if found["by_type"]:
        heads = ("inputs", "views", "before", "after", "less", "recovered")
        lines += ["", f"{'type':24}" + "".join(f"{head:>11}" for head in heads)]
    for row in found["by_type"]:
        note = "  too aggressive: see caveman config" if row["too_aggressive"] else ""
        lines.append(
            f"{row['content_type']:24}{row['inputs']:11,}{row['views']:11,}{row['tokens_before']:11,}"
            f"{row['tokens_after']:11,}{row['ratio']:11.0%}{row['recovered_share']:11.0%}{note}"
        )
    if found["pass_throughs"]:
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in found["pass_throughs"].items())
        lines += ["", f"passed through: {reasons}"]
    store, memory = found["recovery_store"], found["memory"]
    lines += [
        "",
        f"recovery store: {store['records']:,} originals, {store['stored_bytes']:,} of {store['max_bytes']:,} bytes"
        + (", nearly full: see caveman tools ccr gc --dry-run" if store["full"] else ""),
        f"memory: {memory['current']:,} facts, {memory['tokens']:,} tokens, {memory['file_bytes']:,} bytes",
    ]
    return "\n".join(lines)
