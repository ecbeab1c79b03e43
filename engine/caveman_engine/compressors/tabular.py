"""[tabular] Tables in text: the header, the rows that stand out or are asked for, and facts about the others.

Views: cells without the padding of a drawn table or without columns that never change, both lossless; then whole
rows as they stand, with a marker for each gap. Syntaxes are in ``_tables``, reasons to show a row in ``_rows``.
"""

from collections.abc import Iterator

from caveman_engine import facts, markers
from caveman_engine.compressors import _rows, _tables
from caveman_engine.payload import Payload
from caveman_engine.ranking import relevance
from caveman_engine.views import Compressor, Request, View

_MOST_ROWS = 200
_MOST_ASKED, _MOST_ROOM = 40, 5_400  # rows and characters with a query
_SAMPLE = 400
_FEW_ROWS = 40  # so few that fit the budget are left alone
_LEAST_GAIN = 6  # characters a row that constant columns must cost to be moved
_LONGEST_FACTS = 900
# Of a table aligned by spaces, the share and the characters that a list of names may take: its blanks are cheap.
_LISTED_SHARE, _MOST_LISTED = 0.5, 40_000
_WIDEST = 60  # characters of a cell in that list


def detect(payload: Payload) -> float:
    """Tell a table by its first rows."""
    grid = _tables.read(payload.lines[:_SAMPLE])
    if grid is None or len(grid.rows) < 3:
        return 0.0
    if grid.delimiter == _tables.BLANK:
        return 0.93  # surer than a transcript, which such a table is as a rule
    return 0.9 if len(grid.header) > 2 or grid.padded else 0.7


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the lossless re-layout where there is one, then the rows that stand out."""
    grid = _tables.read(payload.lines)
    if grid is None or len(grid.rows) < 3 or any(map(markers.is_forged, payload.lines)):
        return
    if (view := _tightened(payload, grid)) is not None:
        yield view
    if (view := _chosen(payload, grid, request)) is not None:
        yield view


def _tightened(payload: Payload, grid: _tables.Grid) -> View | None:
    """Leave out padding and rules, and move columns that never change into the header; every cell stays as it is."""
    width = len(grid.header)
    if (
        payload.gutters
        or grid.delimiter == _tables.BLANK
        or any(len(row.cells) != width for row in grid.rows)
    ):
        return None
    if grid.padded and any(
        len(_tables.bar_cells(cell)) > 1 for row in grid.rows for cell in row.cells if "|" in cell
    ):
        return None
    talk = _talk(payload, grid)
    if talk is None:
        return None
    first = grid.rows[0].cells
    constant = [
        "\n" not in cell and all(row.cells[i] == cell for row in grid.rows) for i, cell in enumerate(first)
    ]
    gain = sum(len(cell) + 1 for cell, same in zip(first, constant, strict=True) if same)
    if (
        all(constant)
        or (not grid.padded and gain < _LEAST_GAIN)
        or any("=" in title for title in grid.header)
    ):
        return None
    header = [
        f"{title}={cell}" if same else title
        for title, cell, same in zip(grid.header, first, constant, strict=True)
    ]
    kept = [i for i in range(width) if not constant[i]]
    lines = [header, *([row.cells[i] for i in kept] for row in grid.rows)]
    end = payload.ends[0] or "\n"
    before, after = talk
    text = before + "".join(grid.delimiter.join(cells) + end for cells in lines) + after
    return View(text, True, "rows", len(grid.rows), len(grid.rows), "tightened")


def _talk(payload: Payload, grid: _tables.Grid) -> tuple[str, str] | None:
    """Give the lines before and after a drawn table; None where some stand between its rows."""
    if not grid.padded:
        return "", ""
    first, last = grid.rows[0].first, grid.rows[-1].last
    title = " ".join(grid.header).split()
    words = [i for i in grid.others if any(char.isalnum() for char in payload.lines[i])]
    if any(first < i < last for i in words):
        return None
    before = [
        i for i in words if i < first and " ".join(_tables.bar_cells(payload.lines[i])).split() != title
    ]
    after = [i for i in words if i > last]
    return "".join(map(payload.shown, before)), "".join(map(payload.shown, after))


def _chosen(payload: Payload, grid: _tables.Grid, request: Request) -> View | None:
    """Show the header, the rows worth it, and what is true of the others."""
    rows = grid.rows
    most = _MOST_ASKED if request.query else _MOST_ROWS
    budget = request.budget if request.hard or not request.query else min(request.budget, _MOST_ROOM)
    length = len(payload.text)
    if length <= budget and not request.query:
        if len(rows) <= _FEW_ROWS:
            return None
        budget = length // 2
    spare = 0
    if grid.delimiter == _tables.BLANK and not request.query and not request.hard:
        length = sum(len(cell) + 1 for row in rows for cell in row.cells)
        budget = budget * length // max(length, len(payload.text)) // 2
        spare = max(0, min(_MOST_LISTED, int(_LISTED_SHARE * length)) - budget)
    room = budget - sum(len(payload.shown(i)) for i in grid.others)
    kept: set[int] = set()
    exact, ranked = _ranked(grid, request)
    for row in ranked[:most]:
        cost = 40 + sum(len(payload.shown(i)) for i in range(rows[row].first, rows[row].last + 1))
        if not kept or cost <= room:
            kept.add(row)
            room -= cost
    text, shown, gaps = _with_gaps(payload, grid, kept)
    if shown == len(rows):
        return None
    hidden = [row for i, row in enumerate(rows) if i not in kept]
    if not exact and len(hidden) > 1:
        said = _facts(grid, hidden, min(_LONGEST_FACTS, max(200, budget // 10)))
        listed = [] if request.query else _index(grid, hidden, room + spare - len(said) - 100)
        if said or listed:
            tail = "; of each:" if listed else ""
            text += markers.marker(f"in the {len(rows) - shown:,} rows left out: {said}{tail}") + "".join(
                listed
            )
            gaps += 1
    # After the end of an old Mac line a marker would not begin a line.
    text = text.replace("\r" + markers.SIGIL, "\r\n" + markers.SIGIL)
    return View(text, False, "rows", shown, len(rows), "rows", markers=gaps)


def _index(grid: _tables.Grid, hidden: list[_tables.Row], room: int) -> list[str]:
    """List the lightest cells of all rows left out, when that fits with the cell that names the row."""
    width = len(grid.header)
    if room < 4 * len(hidden) or any(len(row.cells) != width or row.last > row.first for row in hidden):
        return []
    aligned = grid.delimiter == _tables.BLANK
    columns = [[_brief(row.cells[i]) if aligned else row.cells[i] for row in hidden] for i in range(width)]
    kinds = [len(set(cells)) for cells in columns]
    weights = [sum(map(len, cells)) + len(cells) for cells in columns]
    wordy = [any(map(str.isalpha, "".join(cells[:_SAMPLE]))) for cells in columns]
    naming = min(
        range(width),
        key=lambda i: (
            kinds[i] < (0.5 if aligned else 0.8) * len(hidden),
            weights[i] / len(hidden) < 4,
            aligned and not wordy[i],
            weights[i],
        ),
    )
    telling = list(range(width))
    if aligned:  # numbers tell a row only when they are its own
        telling = [i for i in telling if kinds[i] >= (0.1 if wordy[i] else 0.95) * len(hidden)]
    kept: list[int] = []
    for i in [naming, *sorted(telling, key=weights.__getitem__)]:
        if i not in kept and kinds[i] > 1 and weights[i] <= room:
            kept.append(i)
            room -= weights[i]
    if naming not in kept or (len(kept) < 2 and not (aligned and wordy[naming])):
        return []
    kept.sort()
    between = "|" if aligned else grid.delimiter
    lines = [grid.header, *zip(*columns, strict=True)]
    return [between.join([cells[i] for i in kept]) + "\n" for cells in lines]


def _brief(cell: str) -> str:
    return cell if len(cell) <= _WIDEST else cell[: _WIDEST - 1] + "…"


def _ranked(grid: _tables.Grid, request: Request) -> tuple[bool, list[int]]:
    """Give whether rows hold all that is asked for, and the rows to show, best first."""
    width = len(grid.header)
    columns = [
        _rows.Column(
            title.strip('"'), [row.cells[i].strip('"') if i < len(row.cells) else "" for row in grid.rows]
        )
        for i, title in enumerate(grid.header)
    ]
    odd = [i for i, row in enumerate(grid.rows) if len(row.cells) != width][:20]
    if not request.query:
        return False, list(dict.fromkeys([*odd, *_rows.standing_out(columns, len(grid.rows))]))
    names = [column.name for column in columns]
    texts = [" ".join(row.cells) for row in grid.rows]
    hits = _rows.matching(relevance(request.query, texts))
    exact = _rows.holding_all(request.query, names, {row: texts[row] for row in hits[:6]})
    if exact:
        return True, exact
    notable = _rows.standing_out(columns, len(texts), _rows.named(request.query, names))
    places = _rows.positions(request.query, len(texts))
    return False, list(dict.fromkeys([*places, *_rows.in_turn(hits, [*notable, *odd])]))


def _facts(grid: _tables.Grid, hidden: list[_tables.Row], longest: int) -> str:
    if any(len(row.cells) != len(grid.header) for row in hidden):
        return ""
    table = {
        title.strip('"'): [row.cells[i].strip('"') for row in hidden] for i, title in enumerate(grid.header)
    }
    return facts.columns(table, longest)


def _with_gaps(payload: Payload, grid: _tables.Grid, kept: set[int]) -> tuple[str, int, int]:
    """Print what is kept in order, and give how many rows and markers that are; a gap of one line is shown."""
    rows = grid.rows
    parts: list[str] = []
    others = iter([*grid.others, len(payload.lines)])
    other = next(others)
    shown = gaps = at = 0
    while at < len(rows):
        while other < rows[at].first:
            parts.append(_ended(payload.shown(other)))
            other = next(others)
        stop = at
        while stop < len(rows) and stop not in kept:
            stop += 1
        if stop - at > 1 or (stop - at == 1 and rows[at].last > rows[at].first):
            lines = f"{payload.number(rows[at].first)}-{payload.number(rows[stop - 1].last)}"
            parts.append(markers.marker(f"{stop - at:,} rows, lines {lines}"))
            gaps += 1
            at = stop
            continue
        if stop - at == 1:
            kept.add(at)
        parts.extend(_ended(payload.shown(i)) for i in range(rows[at].first, rows[at].last + 1))
        shown += 1
        at += 1
    parts.extend(_ended(payload.shown(i)) for i in [other, *others] if i < len(payload.lines))
    return "".join(parts), shown, gaps


def _ended(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else line + "\n"


COMPRESSOR = Compressor("tabular", detect, views)
