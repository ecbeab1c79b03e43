"""The page of `caveman stats --html`: one file, no script, nothing loaded from elsewhere. Pure.

Charts are SVG drawn here: horizontal bars, the whole of a row for what came in, its dark part for what was shown.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --soft: #6b7280; --line: #d9dee5; --in: #c9d7ee; --out: #2f5fb3;
  --warn: #b4541a; --back: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa3b0; --line: #333b46; --in: #2d3d59;
  --out: #7ba6f0; --warn: #f0a070; --back: #14181d; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.soft { color: var(--soft); } .warn { color: var(--warn); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: .6rem 1rem; }
.tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; margin-top: 1rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .soft { fill: var(--soft); } .in { fill: var(--in); } .out { fill: var(--out); }
"""
_LEGEND = (
    "All token counts are local and inferred; they are not a provider's bill. "
    "Light bars: what came in; dark: what was shown."
)
_WIDTH, _LABEL, _ROW = 900, 190, 26
_MOST_DAYS = 30


def page(found: dict[str, Any]) -> str:
    """Give the page for the figures of `stats.figures`."""
    tiles = [
        ("tokens saved", f"{found['tokens_saved']:,}", f"{found['tokens_before']:,} came in"),
        (
            "net of catalogues",
            f"{found['tokens_saved_net']:,}",
            f"{found['overhead']['sessions']:,} sessions",
        ),
        ("views", f"{found['views']:,}", f"of {found['inputs']:,} inputs"),
        ("recoveries", f"{found['retrieves']:,}", "originals asked for"),
        ("facts", f"{found['memory']['current']:,}", f"{found['memory']['tokens']:,} tokens"),
    ]
    parts = [
        "<h1>Caveman: what was read less</h1>",
        f'<p class="soft">{_LEGEND}</p>',
        '<div class="tiles">' + "".join(_tile(*tile) for tile in tiles) + "</div>",
        "<h2>Tokens by content type</h2>",
        _bars([(row["content_type"], row["tokens_before"], row["tokens_after"]) for row in found["by_type"]]),
        _types(found["by_type"]),
        "<h2>Tokens by day</h2>",
        _bars(
            [(row["day"], row["tokens_before"], row["tokens_after"]) for row in found["by_day"][-_MOST_DAYS:]]
        ),
        "<h2>Passed through, by reason</h2>",
        _bars([(reason, number, number) for reason, number in found["pass_throughs"].items()]),
        "<h2>Stores</h2>",
        _stores(found),
    ]
    title = "Caveman stats"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _tile(label: str, value: str, note: str) -> str:
    return f'<div class="tile"><span class="soft">{label}</span><b>{value}</b><span class="soft">{note}</span></div>'


def _bars(rows: Sequence[tuple[str, int, int]]) -> str:
    """Draw one row for each (label, in, out); out is the dark part of in."""
    if not rows:
        return '<p class="soft">Nothing yet.</p>'
    most = max(max(before, after) for _, before, after in rows) or 1
    room = _WIDTH - _LABEL - 190
    drawn = []
    for number, (label, before, after) in enumerate(rows):
        y = number * _ROW
        whole, part = (max(2, round(room * value / most)) for value in (before, after))
        figure = f"{after:,}" if before == after else f"{before:,} → {after:,}"
        drawn.append(
            f'<text x="0" y="{y + 17}">{escape(label[:28])}</text>'
            f'<rect class="in" x="{_LABEL}" y="{y + 4}" width="{whole}" height="18" rx="3"/>'
            f'<rect class="out" x="{_LABEL}" y="{y + 4}" width="{part}" height="18" rx="3"/>'
            f'<text class="soft" x="{_LABEL + max(whole, part) + 8}" y="{y + 17}">{figure}</text>'
        )
    height = len(rows) * _ROW
    return f'<svg viewBox="0 0 {_WIDTH} {height}" role="img">' + "".join(drawn) + "</svg>"


def _types(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return ""
    heads = ("type", "inputs", "views", "before", "after", "less", "recovered")
    lines = []
    for row in rows:
        recovered = f"{row['recovered_share']:.0%}"
        if row["too_aggressive"]:
            recovered = f'<span class="warn">{recovered}: too aggressive</span>'
        cells = [f"{row[key]:,}" for key in ("inputs", "views", "tokens_before", "tokens_after")]
        cells = [escape(row["content_type"]), *cells, f"{row['ratio']:.0%}", recovered]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _stores(found: dict[str, Any]) -> str:
    store, memory = found["recovery_store"], found["memory"]
    full = ' <span class="warn">nearly full</span>' if store["full"] else ""
    return (
        f"<p>Recovery store: {store['records']:,} originals, {store['stored_bytes']:,} of {store['max_bytes']:,} "
        f"bytes{full}<br>Memory: {memory['facts']:,} facts, {memory['file_bytes']:,} bytes</p>"
    )
