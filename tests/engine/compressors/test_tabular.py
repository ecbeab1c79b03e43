import itertools
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import _tables
from caveman_engine.compressors import tabular as subject
from caveman_engine.tokens import count
from caveman_engine.views import Request


def views(text, query=None, budget=None):
    look = payload.parse(text.encode()) if isinstance(text, str) else payload.parse(text)
    room = budget or choice.Budget.of(len(look.text), len(look.text) // 3, query, None).request.budget
    found = list(subject.COMPRESSOR.views(look, Request(query, room)))
    assert all(map(choice.is_honest, found))
    return found


def rows_view(text, query=None, budget=None):
    (view,) = [view for view in views(text, query, budget) if not view.lossless]
    return view


def detect(text):
    return subject.COMPRESSOR.detect(payload.parse(text.encode()))


def shown_and_hidden(view, source):
    """Count source lines in a view and the rows its gap markers say are missing."""
    known = set(source.splitlines())
    lines = view.text.split("[caveman: in the ")[0].splitlines()
    shown = sum(line in known for line in lines)
    hidden = sum(
        int(n.replace(",", ""))
        for n in re.findall(r"^\[caveman: ([\d,]+) rows?, lines", view.text, re.MULTILINE)
    )
    return shown, hidden


def orders(size, **changed):
    rnd = random.Random(4)
    cities = ["Oslo", "Bergen", "Bodø"]
    lines = ["order,city,items,total"]
    lines.extend(
        f"{n},{rnd.choice(cities)},{rnd.randrange(1, 9)},{rnd.randrange(100, 900)}.50"
        for n in range(1, size + 1)
    )
    for place, line in changed.items():
        lines[int(place[1:])] = line
    return "\n".join(lines) + "\n"


LOGGING = "".join(f"2026-03-01 10:00:0{n % 10},123 - app - INFO - step {n}\n" for n in range(800))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("a,b\n1,2\n", id="two lines"),
        pytest.param("one sentence, with a comma.\nAnd another, too.\nNo third here.\n", id="prose"),
        pytest.param(LOGGING, id="cmp-44 a log with commas before milliseconds"),
        pytest.param("int a = f(1, 2);\nint b = f(2, 3);\nint c = f(3, 4);\nreturn a;\n", id="code"),
        pytest.param(
            "src/a.py:1:x, y\nsrc/a.py:2:z, w\nsrc/b.py:9:k, l\nsrc/b.py:10:k, m\n", id="search hits"
        ),
        pytest.param("[caveman: x],b,c\n1,2,3\n1,2,3\n4,5,6\n", id="a line like a marker"),
    ],
)
def test_what_is_no_table_has_no_view(text):
    assert views(text) == []


def test_a_small_table_is_shown_whole():
    """cmp-45: nothing is left out where all rows fit."""
    assert (
        views(
            "name  age  city\nada  36  london\nbob  41  oslo\neva  29  rome\nkim  33  lund\ntom  50  graz\n"
        )
        == []
    )
    assert views(orders(8), budget=4000) == []


def test_rows_shown_and_left_out_add_up():
    """cmp-14."""
    text = "id,state,v\n" + "".join(f"{n},ok,9.5\n" for n in range(1, 1001))
    view = rows_view(text)
    shown, hidden = shown_and_hidden(view, text)
    assert view.total == 1000
    assert (shown - 1, shown - 1 + hidden) == (view.shown, 1000)
    assert "all state=ok v=9.5" in view.text


def test_a_csv_keeps_its_header_dates_and_the_row_that_differs():
    """cmp-43."""
    lines = [f"2026-10-01,{n},9.50" for n in range(1, 1001)]
    lines[639] = '2026-10-02,640,"-1,200.00"'
    text = "date,id,amount\n" + "\n".join(lines) + "\n"
    assert detect(text) == 0.9
    view = rows_view(text)
    assert view.unit == "rows"
    assert view.text.count("date,id,amount") == 1
    assert lines[639] in view.text
    assert count(view.text) < 0.1 * count(text)


def test_rows_with_a_field_too_many_are_shown():
    """cmp-68."""
    odd = {f"r{n}": f"{n},Oslo,3,17.50,extra{n}" for n in (77, 210, 333, 402, 595)}
    view = rows_view(orders(600, **odd))
    assert all(line in view.text for line in odd.values())


def test_a_markdown_table_keeps_the_prose_around_it_and_escaped_bars():
    """cmp-68."""
    rows = [f"| {n} | item {n} | ok |" for n in range(200)]
    rows[120] = r"| 120 | a\|b | ok |"
    text = "First words.\n\n| id | name | state |\n|---|---|---|\n" + "\n".join(rows) + "\n\nLast words.\n"
    assert detect(text) == 0.9
    for view in views(text):
        assert "First words." in view.text
        assert "Last words." in view.text
        assert r"a\|b" in view.text or not view.lossless


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            " id | name\n----+------\n" + "".join(f"{7 * n:3} | n{n}\n" for n in range(40)) + "(40 rows)\n",
            id="psql",
        ),
        pytest.param(
            "+----+------+\n| id | name |\n+----+------+\n"
            + "".join(f"| {n:2} | n{n:3} |\n" for n in range(40))
            + "+----+------+\n",
            id="mysql",
        ),
        pytest.param(
            "┌────┬──────┐\n│ id │ name │\n├────┼──────┤\n"
            + "".join(f"│ {n:2} │ n{n:3} │\n" for n in range(40))
            + "└────┴──────┘\n",
            id="box characters",
        ),
        pytest.param(
            "NAME    READY   STATUS    AGE\n"
            + "".join(f"api-{n:02}  1/1     Running   {n}d\n" for n in range(40)),
            id="kubectl",
        ),
    ],
)
def test_drawn_tables_lose_their_padding_and_no_cell(text):
    assert detect(text) == 0.9
    view = next(view for view in views(text) if view.lossless)
    grid = _tables.read(text.splitlines())
    header, *lines = view.text.splitlines()
    constants = dict(title.split("=") for title in header.split("|") if "=" in title)
    varying = [title for title in header.split("|") if "=" not in title]
    assert [title.split("=")[0] for title in header.split("|")] == grid.header
    assert len(grid.rows) == 40
    for row, line in zip(grid.rows, lines, strict=False):
        cells = dict(zip(varying, line.split("|"), strict=True)) | constants
        assert [cells[title] for title in grid.header] == row.cells
    assert "(40 rows)" not in text or "(40 rows)" in view.text


def test_columns_that_never_change_are_said_in_the_header():
    text = "id,state,zone\n" + "".join(f"{n},ok,eu-north-1\n" for n in range(50))
    view = next(view for view in views(text) if view.lossless)
    assert view.text.startswith("id,state=ok,zone=eu-north-1\n0\n1\n")


def test_without_a_store_every_cell_stays_and_nothing_is_marked():
    """cmp-10: a long cell is no reason for loss."""
    text = "id,state,note\n" + "".join(f"{n},ok,{'x' * 300 if n == 50 else n}\n" for n in range(100))
    for view in views(text):
        if view.lossless:
            assert "x" * 300 in view.text
            assert view.markers == 0
            assert len(view.text.splitlines()) == 101


def test_words_between_two_tables_are_never_lost():
    table = "| id | name |\n|---|---|\n" + "".join(f"| {7 * n} | n{n} |\n" for n in range(60))
    for view in views(f"One.\n\n{table}\nTwo.\n\n{table}\nThree.\n"):
        assert all(word in view.text for word in ("One.", "Two.", "Three."))


def test_rows_left_out_are_listed_by_their_light_cells():
    rnd = random.Random(3)
    lines = [
        f"u{n:03},{rnd.randrange(99)},{' '.join(rnd.choices(['alpha', 'beta', 'gamma'], k=12))}"
        for n in range(120)
    ]
    view = rows_view("user,score,essay\n" + "\n".join(lines) + "\n")
    assert all(",".join(line.split(",")[:2]) in view.text for line in lines)
    assert view.shown < 120


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        pytest.param("which order has the highest total", "421,Oslo,1,9999.00", id="an extreme"),
        pytest.param("orders from Narvik", "77,Narvik,2,20.00", id="a word"),
        pytest.param("last row", "500,", id="a place"),
        pytest.param("which city occurs once", "77,Narvik", id="a rare kind"),
    ],
)
def test_a_query_finds_its_row(query, answer):
    view = rows_view(orders(500, r421="421,Oslo,1,9999.00", r77="77,Narvik,2,20.00"), query)
    assert answer in view.text
    assert view.text.startswith("order,city,items,total\n")
    assert count(view.text) < 1500


def test_a_query_that_one_row_answers_shows_little_else():
    view = rows_view(orders(200).replace("order,", "ref,", 1).replace("\n137,", "\nA-137,"), "A-137")
    assert "A-137," in view.text
    assert count(view.text) <= 80


def test_old_mac_lines_are_rows_too():
    names = ["".join(pair) for pair in itertools.product("abcdefghijklmn", repeat=2)]
    text = "name\tage\tcity\r" + "".join(f"{name}\t{n}\tOslo\r" for n, name in enumerate(names))
    view = rows_view(text, budget=1000)
    assert view.total == len(names)
    assert "aa\t0\tOslo\r" in view.text


@given(
    st.text('a,1"\n|;- \t', max_size=200) | st.binary(max_size=100).map(lambda data: data.decode("latin-1"))
)
def test_no_text_raises(text):
    views(text, budget=40)
    views(text, "a 1", budget=40)


def test_facts_about_rows_left_out_are_true():
    text = orders(400)
    view = rows_view(text, budget=1500)
    rows = set(text.splitlines()[1:])
    hidden = [line.split(",") for line in rows if line + "\n" not in view.text]
    low, high = re.search(r"total ([\d.]+)\.\.([\d.]+)", view.text).groups()
    totals = [float(row[3]) for row in hidden]
    assert (float(low), float(high)) == (min(totals), max(totals))
    for city, times in re.findall(r"(Oslo|Bergen|Bodø)×(\d+)", view.text):
        assert sum(row[1] == city for row in hidden) == int(times)
