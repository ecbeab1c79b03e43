import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import retrieve, tokens
from caveman_engine.retrieve import view

LOG = "".join(f"2026-01-01 10:00:{i % 60:02d} INFO step {i} ok\n" for i in range(1, 2001)).encode()
DOC = {
    "meta": {"v": 1},
    "items": [
        {"id": i, "big": 10**30 + i, "name": f"item <{i}> & co", "note": "lorem ipsum " * 8}
        for i in range(400)
    ],
}


def own(text):
    return [line for line in text.splitlines() if line.startswith("[caveman:")]


def shown(text):
    return [line for line in text.splitlines() if not line.startswith("[caveman:")]


def test_a_row_is_found_in_a_table_of_two_hundred_for_a_hundred_tokens():
    rows = [
        f"{i},user{i}@example.org,{i * 7 % 100},{'Oslo' if i == 77 else 'Rome'},2026-01-{i % 28 + 1:02d}"
        for i in range(200)
    ]
    table = "id,mail,score,city,day\n" + "\n".join(rows) + "\n"
    found = view(table.encode(), "Oslo", content_type="tabular")
    assert shown(found.text) == ["id,mail,score,city,day", rows[77]]
    assert found.tokens <= 100
    assert (found.matched, found.units, found.shown) == (1, 200, 1)


def test_a_narrowed_table_tears_no_record():
    """cmp-64."""
    table = b"id,city,note\n" + b"".join(
        b'%d,%s,"line one\nline two"\n' % (n, b"Oslo" if n in (7, 8, 400) else b"Bergen")
        for n in range(1, 501)
    )
    found = view(table, "Oslo", content_type="tabular")
    assert (found.matched, found.shown) == (3, 3)
    for n in (7, 8, 400):
        assert f'{n},Oslo,"line one\nline two"\n' in found.text
    gaps = [line for line in own(found.text) if "…" in line]
    assert [re.findall(r"[\d,]+ rows?, [\d-]+", gap)[0] for gap in gaps] == [
        "6 rows, 2-7",
        "391 rows, 10-400",
        "100 rows, 402-501",
    ]


def test_records_are_source_slices_with_their_indentation():
    found = view(json.dumps(DOC, indent=2).encode(), "item 123 co", content_type="json")
    assert (
        '    {\n      "id": 123,\n      "big": 1000000000000000000000000000123,\n      "name": "item <123> & co"'
        in found.text
    )
    assert found.shown == 1
    assert "/items/124 to /items/399" in found.text


@pytest.mark.parametrize("indent", [None, 1])
def test_no_match_is_short_and_says_what_there_is(indent):
    """cmp-65."""
    for original, kind in (
        (json.dumps(DOC, indent=indent).encode(), "json"),
        (LOG * 20, "log"),
        (b"# A\n\ntext\n\n" * 3000, "text"),
    ):
        found = view(original, "zzqx unheard", content_type=kind)
        assert (found.matched, found.shown, found.next) == (0, 0, None)
        assert f"nothing of {found.units:,} " in found.text
        assert "without a query" in found.text
        assert len(found.text) < 2000
    assert "/items/* (400)" in view(json.dumps(DOC).encode(), "zzqx", content_type="json").text


PLAIN = "".join(f"INFO step {i} ok\n" for i in range(1, 2001)).encode()


@pytest.mark.parametrize(
    ("query", "line"), [("step 1", "step 1 ok"), ("step 20", "step 20 ok"), ("step 300", "step 300 ok")]
)
def test_the_asked_step_comes_and_not_its_neighbours(query, line):
    """agt-10."""
    found = view(PLAIN, query, content_type="log")
    assert shown(found.text) == [f"INFO {line}"]
    assert found.matched == 2000
    assert view(PLAIN, query, content_type="log") == found, "asked again, the same answer"


def test_words_that_stand_together_in_the_query_count_more_together():
    found = view(LOG, "step 20", content_type="log", max_tokens=80)
    assert [part[20:] for part in shown(found.text)] == ["INFO step 20 ok"]


def test_an_event_brings_its_continuation_lines():
    log = (
        LOG
        + b"2026-01-01 11:00:00 ERROR job died\nTraceback (most recent call last):\n  File x\nRuntimeError: outer-42\n"
        + LOG
    )
    found = view(log, "outer-42", content_type="log")
    assert (
        "ERROR job died\nTraceback (most recent call last):\n  File x\nRuntimeError: outer-42\n" in found.text
    )


def test_a_paragraph_brings_its_heading_and_code_its_class():
    found = view(
        b"# Top\n\nintro\n\n## Install\n\nRun it.\n\nThen restart the daemon.\n",
        "daemon",
        content_type="text",
    )
    assert "## Install\nThen restart the daemon.\n" in found.text
    code = (
        "class C:\n"
        + "".join(f"    def m{i}(self):\n        a = {i}\n        return a\n\n" for i in range(30))
        + "    def reconcile(self):\n        return 1\n"
    )
    found = view(code.encode(), "def reconcile", content_type="code")
    assert "class C:\n    def reconcile(self):\n        return 1\n" in found.text


def test_gaps_stand_at_every_jump_and_both_ends_and_add_up():
    found = view(
        b"".join(b"line %d %s\n" % (i, b"needle" if i in (5, 6, 50) else b"hay") for i in range(100)),
        "needle",
        content_type="search-result",
    )
    gaps = [re.search(r"… ([\d,]+) lines?, ([\d-]+) …", line) for line in own(found.text)[:-1]]
    assert [gap[2] for gap in gaps] == ["1-5", "8-50", "52-100"]
    assert sum(int(gap[1]) for gap in gaps) + found.shown == found.units


def test_the_view_is_bounded_best_units_first_and_names_the_next():
    words = [f"2026-01-01 10:00:00 INFO needle {'needle ' * (i % 7)}{i}" for i in range(5000)]
    original = "\n".join(words).encode()
    for bound in (100, 500, 2000):
        found = view(original, "needle", content_type="log", max_tokens=bound)
        assert found.tokens == tokens.count(found.text) <= bound
        assert 0 < found.shown < found.matched == 5000
        assert all("needle needle needle" in line for line in shown(found.text))
        assert found.next.startswith("line=")
    assert view(original[:5000], "needle", content_type="log", max_tokens=0).next is None


def test_a_unit_over_the_bound_is_cut_around_its_match():
    original = json.dumps(
        [{"note": "hay " * 3000 + "needle in here " + "straw " * 3000}, {"note": "x"}]
    ).encode()
    found = view(original, "needle", content_type="json", max_tokens=200)
    assert "needle in here" in found.text
    assert "characters" in found.text
    assert found.tokens <= 200
    assert found.next == "/0"


def test_one_line_of_megabytes_is_cut_too():
    found = view(
        b"x" * 1_000_000 + b" needle " + b"y" * 1_000_000, "needle", content_type="text", max_tokens=300
    )
    assert "needle" in found.text
    assert found.tokens <= 300


def test_an_input_line_cannot_pass_for_one_of_ours():
    """cmp-15."""
    original = "\n".join(["[caveman: … 9 lines, 1-9 …] needle", "plain needle", *["hay"] * 50])
    found = view(original.encode(), "needle", content_type="log")
    assert shown(found.text) == ["plain needle"]
    assert "… 9 lines" not in found.text


def test_a_stray_byte_shows_as_one_and_colour_codes_do_not():
    found = view(
        b"ok\n" * 30 + b"caf\xe9 failed\n" + b"\x1b[31mred alert\x1b[0m\n", "failed alert", content_type="log"
    )
    assert "caf\ufffd failed\n" in found.text
    assert "red alert\n" in found.text
    assert "\x1b" not in found.text


def test_lines_keep_their_own_ends():
    found = view(
        b"a\n" * 200 + b"needle one\r\n" + b"needle two\n" + b"a\n" * 200, "needle", content_type="log"
    )
    assert "needle one\r\nneedle two\n" in found.text


def test_binary_content_says_that_it_cannot_be_searched():
    found = view(b"\x00\x00\x01\xff\x00" * 100, "x")
    assert "no text" in found.text
    assert (found.matched, found.shown) == (0, 0)


@pytest.mark.parametrize("original", [b"", b"\n", b" ", b"x"])
def test_tiny_originals_are_no_trouble(original):
    assert view(original, "needle").matched == 0
    assert view(original, "x").shown == (original == b"x")


def test_without_a_type_it_is_guessed():
    table = b"id,city\n" + b"".join(b"%d,%s\n" % (i, b"Oslo" if i == 9 else b"Rome") for i in range(300))
    assert shown(view(table, "Oslo").text) == ["id,city", "9,Oslo"]


@pytest.mark.parametrize(
    "kind",
    [
        "json",
        "tabular",
        "text",
        "log",
        "terminal",
        "code",
        "config",
        "diff",
        "html",
        "search-result",
        "a11y",
        "toolschema",
        "unheard-of",
    ],
)
def test_a_wrong_type_falls_back_to_lines(kind):
    found = view(b"first line\n\xff needle {\nlast", "needle", content_type=kind)
    assert "needle {" in found.text


@pytest.mark.parametrize("pad", range(4))
def test_no_character_is_torn(pad):
    """cmp-52."""
    original = ("a" * pad + "漢字" * 5000).encode()
    found = view(original, "漢字", content_type="text", max_tokens=100)
    assert set("".join(shown(found.text))) <= set("a漢字")
    assert found.tokens <= 100


def test_the_counter_may_be_given():
    found = view(LOG, "step 7", content_type="log", count=len, max_tokens=400)
    assert found.tokens == len(found.text) <= 400


@given(
    st.lists(
        st.sampled_from(["alpha", "beta needle", "", "  indented", "{", '"', "# h", "a,b", "[caveman: x]"]),
        max_size=40,
    ),
    st.sampled_from(["json", "tabular", "text", "log", "code", "diff", ""]),
    st.integers(60, 200),
)
def test_any_text_gives_a_bounded_view_of_whole_source_lines(lines, kind, bound):
    text = "\n".join(lines)
    found = view(text.encode(), "needle alpha", content_type=kind, max_tokens=bound)
    assert tokens.count(found.text) == found.tokens <= bound
    assert set(shown(found.text)) <= {*lines, "…", ""}
    assert "[caveman: x]" not in found.text.split("\n")
    assert found.shown <= found.matched <= found.units
    assert retrieve.view(text.encode(), "needle alpha", content_type=kind, max_tokens=bound) == found
