import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, detect, payload
from caveman_engine.compressors import _aligned, tabular
from caveman_engine.views import Request


def read(text):
    return _aligned.read(text.split("\n"))


def kind(text):
    return detect.rank(payload.parse(text.encode()))[0][1].name


def listing(total):
    files = "".join(
        f"-rw{'s' if n == 7 else '-'}r--r--  1 root root {n * 37:>9} Nov {n % 28 + 1:>2} 22:22 file-{n} of mine\n"
        for n in range(total)
    )
    return f"total {total}\n{files}lrwxrwxrwx  1 root root         7 Feb 17  2023 link -> file-1\n"


def processes(total):
    rows = "".join(
        f"root {n:>9} {n % 7 / 10:>4} {1.2 if n == 61 else 0.1:>4} {n * 31:>6} {n:>5} ?        Ss   21:05   0:00 worker --id {n}\n"
        for n in range(1, total)
    )
    return "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n" + rows


def packages(total):
    rows = "".join(
        f"ii  {f'package-{n}':<20} {f'{n}.0-1':<12} all          the tool number {n}\n" for n in range(total)
    )
    return (
        "Desired=Unknown/Install\n||/ Name                 Version      Architecture Description\n"
        "+++-====================-============-============-=================\n" + rows
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The Quick Brown fox\njumps over the lazy dog\nand so on and on\nwith other words here\n",
        "Starting Server Now\n2026-01-01 10:00:00 INFO up\n2026-01-01 10:00:01 INFO listening on 80\n2026-01-01 ok\n",
        "# Title\n\n---\n\ntext\nmore text\n",
    ],
)
def test_what_is_not_aligned_is_not_read(text):
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(listing(20), id="a listing of 20 files"),
        pytest.param(" M file-one.py\n?? file-two.py\n" * 7 + "?? last\n", id="a short status of 15 lines"),
        pytest.param("NAME   SIZE   AGE\n" + "one    1      5d\n" * 5, id="6 lines, 3 columns"),
    ],
)
def test_a_small_table_is_left_alone(text):
    """cmp-45."""
    look = payload.parse(text.encode())
    room = choice.Budget.of(len(look.text), len(look.text) // 3, None, None).request.budget
    views = list(tabular.COMPRESSOR.views(look, Request(None, room)))
    assert [view for view in views if not view.lossless] == []


def test_a_listing_is_read_by_its_modes():
    header, rows = read(listing(20))
    assert header[-1] == "name"
    assert rows[8] == ["-rwsr--r--", "1", "root", "root", "259", "Nov  8 22:22", "file-7 of mine"]
    assert 0 not in rows


def test_numbers_stand_under_the_end_of_their_title():
    header, rows = read(processes(90))
    assert header == "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND".split()
    assert rows[61] == [
        "root",
        "61",
        "0.5",
        "1.2",
        "1891",
        "61",
        "?",
        "Ss",
        "21:05",
        "0:00",
        "worker --id 61",
    ]


def test_a_broken_rule_gives_the_columns():
    header, rows = read(packages(50))
    assert header == ["||/", "Name", "Version", "Architecture", "Description"]
    assert rows[7] == ["ii", "package-4", "4.0-1", "all", "the tool number 4"]


def test_a_title_of_two_words_is_one_column_and_a_wide_cell_ends_at_its_blank():
    text = (
        "Filesystem     Size  Used Avail Use% Mounted on\n" + "/dev/sda1       99G   10G   89G  10% /\n" * 30
    )
    header, rows = read(text + "/dev/mapper/very-long   99G   10G   89G  10% /home\n")
    assert header == ["Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on"]
    assert rows[31][0] == "/dev/mapper/very-long"


@pytest.mark.parametrize("text", [listing(200), processes(200), packages(200)], ids=["ls", "ps", "dpkg"])
def test_aligned_tables_are_tables_before_they_are_transcripts(text):
    assert kind(text) == "tabular"


def test_extremes_odd_modes_and_all_names_are_kept():
    view = list(tabular.COMPRESSOR.views(payload.parse(listing(400).encode()), Request(None, 4_000)))[-1]
    assert "-rwsr--r--" in view.text
    assert f" {399 * 37} " in view.text
    assert all(f"file-{n} of mine" in view.text for n in range(400))


@given(st.text(alphabet=st.sampled_from("aA1 -=+|/\n.%é\t"), max_size=400))
def test_no_text_raises(text):
    found = read(text)
    assert found is None or all(len(cells) == len(found[0]) for cells in found[1].values())
