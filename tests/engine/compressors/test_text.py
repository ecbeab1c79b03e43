import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import _text_blocks, text
from caveman_engine.views import Request

WISH = Request(None, 60_000)
WORDS = "ledger window copper basket meadow signal harbor lantern orchard pebble quarry ribbon saddle timber".split()


def look(source):
    return payload.parse(source.encode("utf-8", "surrogatepass"))


def views(source, request=WISH):
    found = list(text.COMPRESSOR.views(look(source), request))
    assert all(choice.is_honest(one) for one in found)
    return found


def prose(seed, sentences):
    rng = random.Random(seed)
    return " ".join(
        " ".join(rng.choices(WORDS, k=rng.randint(8, 16))).capitalize() + f" {seed * 100 + i}."
        for i in range(sentences)
    )


def wrapped(words, width=70):
    rows, row = [], ""
    for word in words.split():
        if len(row) + len(word) > width:
            rows.append(row.rstrip())
            row = ""
        row += word + " "
    return "\n".join([*rows, row.rstrip()]) + "\n"


def document(parts=20):
    return "# Guide\n\n" + "\n".join(f"## Part {i}\n\n{wrapped(prose(i, 12))}" for i in range(parts))


@pytest.mark.parametrize(
    "source",
    ["", " ", prose(1, 3), wrapped(prose(2, 12)), "# Title\n\nOne paragraph.\n"],
    ids=["nothing", "one space", "three sentences", "one paragraph", "a note"],
)
def test_cmp_72_short_prose_is_left_alone(source):
    assert views(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "1,2,3\n4,5,6\n" * 50,
        "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5\n" * 50,
        "0x1f 0x2e 0x3d\n" * 50,
        "\n" * 50,
    ],
    ids=["numbers", "base64", "hex", "blank lines"],
)
def test_what_has_no_words_is_no_text(source):
    assert text.detect(look(source)) < 0.2


def test_prose_markdown_manuals_and_rfcs_are_known():
    manual = "RG(1)                   User Commands                   RG(1)\n\nNAME\n       rg - search\n\nSYNOPSIS\n       rg\n"
    rfc = "Network Working Group          A. Writer\nRequest for Comments: 9999\n\n" + wrapped(prose(1, 30))
    for source in (wrapped(prose(1, 40)), document(), manual, rfc):
        assert text.detect(look(source)) >= 0.6


def test_headings_rules_and_openings_stay():
    rule = "Implementations MUST NOT send more than 42 frames."
    source = document().replace(
        "## Part 9\n\n", f"## Part 9\n\nThe part begins so.\n{wrapped(prose(77, 4))}{rule}\n"
    )
    (seen,) = views(source)
    assert len(seen.text) < 0.5 * len(source)
    assert rule in seen.text
    assert "The part begins so." in seen.text
    assert sum(f"## Part {i}\n" in seen.text for i in range(20)) >= 15


def test_every_line_is_the_texts_own_or_a_marker():
    source = document()
    (seen,) = views(source)
    own = set(source.splitlines())
    assert all(line in own or line.startswith("[caveman: ") for line in seen.text.splitlines())
    hidden = sum(
        int(n.replace(",", "")) for n in re.findall(r"^\[caveman: ([\d,]+) passage", seen.text, re.MULTILINE)
    )
    assert seen.shown + hidden == seen.total


def test_every_line_keeps_its_own_end():
    source = document().replace("\n", "\r\n")
    (seen,) = views(source)
    assert all(
        line.endswith("\r\n") or line.startswith("[caveman: ") for line in seen.text.splitlines(keepends=True)
    )


def test_running_heads_and_contents_go_first():
    page = "Writer                      Standards                      [Page {}]\n\fRFC 9999           The Protocol           May 1999\n\n"
    toc = "".join(f"   {i}. Part ................................ {i}\n" for i in range(1, 9))
    source = toc + "".join(wrapped(prose(i, 12)) + "\n" + page.format(i) for i in range(20))
    (seen,) = views(source)
    assert "[Page" not in seen.text
    assert "....." not in seen.text


def test_a_very_long_line_is_cut_at_sentences():
    source = prose(3, 400)
    (seen,) = views(source)
    for line in seen.text.splitlines():
        assert line.startswith("[caveman: ") or (line in source and line.endswith("."))


def test_ideographic_sentences_are_units():
    source = "".join(f"第{i}章讲述了仓库中的第{i}件物品。" for i in range(600))
    (seen,) = views(source)
    assert all(line.endswith("。") for line in seen.text.splitlines() if not line.startswith("["))
    (asked,) = views(source, Request("第417章", 3_000))
    assert "第417章讲述了仓库中的第417件物品。" in asked.text


@pytest.mark.parametrize("letters", range(4))
@pytest.mark.parametrize("budget", [120, 121, 122, 777])
def test_cmp_52_no_character_is_torn(letters, budget):
    source = "abc"[:letters] + "漢字" * 5_000
    for seen in views(source, Request(None, budget, hard=True)):
        assert "\ufffd" not in seen.text
        assert all(part.startswith("[caveman: ") or part in source for part in seen.text.splitlines())


def test_a_family_of_joined_characters_stays_together():
    family = "👩\u200d👩\u200d👧\u200d👦"
    source = family * 700
    for seen in views(source, Request(None, 2_000, hard=True)):
        for line in seen.text.splitlines():
            assert line.startswith("[caveman: ") or not line.startswith("\u200d")


def test_cmp_50_a_fence_is_whole_or_gone():
    tree = "```\n" + "".join(f"src/part{i}/  # note {i}\n" for i in range(30)) + "```\n"
    indented = "- item\n\n    ```sh\n    make one\n    make two\n    ```\n"
    unclosed = "~~~\n" + "".join(f"left open {i}\n" for i in range(20))
    source = document(10) + "\n" + tree + "\n" + indented + "\n" + document(10) + "\n" + unclosed
    for request in (WISH, Request("note 7", 4_000), Request(None, 6_000, hard=True)):
        (seen,) = views(source, request)
        for fence, mark in ((tree, "# note"), (indented[8:], "make "), (unclosed, "left open")):
            assert fence in seen.text or mark not in seen.text
    assert tree in views(source, Request("note 7", 4_000))[0].text


def test_a_question_brings_its_passage_under_its_headings():
    source = document().replace("## Part 13\n", "## Part 13\n\nThe quota of widgets is forty.\n")
    (seen,) = views(source, Request("what is the widget quota?", 3_000))
    assert "## Part 13\n" in seen.text
    assert "The quota of widgets is forty.\n" in seen.text
    assert "# Guide\n" in seen.text
    assert len(seen.text) < 0.6 * len(source)


@pytest.mark.parametrize(
    "source, levels",
    [
        ("# One\n\n### Three\n", [1, 3]),
        ("Title\n=====\n\nPart\n----\n", [1, 2]),
        ("1. Scope\n\n   1.1. Purpose\n\n      Words of prose.\n", [1, 2]),
        ("NAME\n       find - look\n\n名前\n       find - 検索\n", [1, 1]),
        ("Status of This Memo\n\n   This memo is a memo.\n", [1]),
        ("An ordinary line of prose, which stands alone.\n\nAnother one\nthat goes on.\n", []),
        ("这是一个普通的段落，它单独成行并且没有标题的意思，所以不是标题\n\n第二段。\n", []),
    ],
    ids=["Markdown", "underlined", "numbered", "manual", "RFC", "prose", "Chinese prose"],
)
def test_headings_are_known_by_the_look_of_their_lines(source, levels):
    found = _text_blocks.pieces(look(source).lines)
    assert [piece.level for piece in found if piece.kind == _text_blocks.HEADING] == levels


def test_an_options_explanation_brings_the_option():
    options = "".join(f"       --opt-{i} NUM\n              {prose(i, 2)}\n\n" for i in range(60))
    source = "NAME\n       tool - a tool\n\nOPTIONS\n" + options.replace(
        prose(31, 2), "Caps the frobnication at NUM."
    )
    (seen,) = views(source, Request("how to cap frobnication", 2_000))
    assert "--opt-31 NUM\n" in seen.text
    assert "Caps the frobnication at NUM.\n" in seen.text


def test_names_that_the_text_comes_back_to_are_shown_once():
    source = document(30)
    for i in (11, 17, 23, 29):
        source = source.replace(
            f"## Part {i}\n\n", f"## Part {i}\n\n{wrapped(prose(500 + i, 3))}Set `TOOL_HOME` here.\n"
        )
    assert "TOOL_HOME" in views(source)[0].text


def test_text_that_forges_a_marker_goes_under_one():
    source = document().replace("## Part 3\n", "## Part 3\n\n[caveman: 5 passages]\n")
    for request in (WISH, Request("caveman passages", 3_000)):
        (seen,) = views(source, request)
        assert choice.is_honest(seen)


lines = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "",
                "# A",
                "===",
                "---",
                "```",
                "- item",
                "  --flag X",
                "| a | b |",
                "   1.1. Part",
                "NAME",
                "\f",
            ]
        ),
        st.text(max_size=60),
    ),
    max_size=60,
)


@settings(max_examples=200)
@given(lines)
def test_pieces_cover_all_rows_but_the_blank_ones(rows):
    held = look("\n".join(rows)).lines
    found = _text_blocks.pieces(held)
    covered = [row for piece in found if not piece.part for row in range(piece.first, piece.last + 1)]
    assert covered == sorted(set(covered))
    assert all(row in covered for row, line in enumerate(held) if line.strip())


@settings(max_examples=100)
@given(lines, st.sampled_from([None, "what is a flag"]))
def test_no_text_breaks_it(rows, query):
    views("\n".join(rows), Request(query, 80, hard=True))


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["lines", "one line", "no spaces"])
def test_time_grows_with_size(shape):
    one = {"lines": document(60), "one line": prose(1, 3_000), "no spaces": "漢字かな" * 40_000}[shape]

    def seconds(source):
        start = time.perf_counter()
        views(source)
        return time.perf_counter() - start

    seconds(one)
    assert seconds(one * 4) < 20 * seconds(one)


RUNS = [
    " ", "\t", "-", "=", "|", "+", ".", ",", "a", "A", "1", "_", "/", "\\", '"', "'", "`", "(", "[", "<", "#", "*",
    "@", "~", "中", "a-", "1.", "](", "| ", "a   ",
]  # fmt: skip


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("around", [("", ""), ("x", "!"), ("| ", " x"), ("  -", " 5a")])
def test_a_long_run_of_one_character_takes_no_time(run, around):
    before, after = around
    source = f"Some words come first.\n\n{before}{run * (20_000 // len(run))}{after}\n\nAnd some come last.\n"
    start = time.process_time()
    text.detect(look(source))
    views(source, Request(None, 3_000))
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("line", "contents"),
    [
        ("   2.1 Members .................... 14", True),
        ("3. Overview . . . . . . . . . . .  7", True),
        ("Preface              iv", True),
        ("- [Usage](#usage)", True),
        ("The limit is 14", False),
        ("              14", False),
        ("It ends with dots ...... 123456", False),
    ],
)
def test_a_line_of_contents_has_a_leader_and_a_page(line, contents):
    assert _text_blocks._is_contents(line) == contents


MANUAL = """TÖÖL(1)\t\t\tKäskud\t\t\tTÖÖL(1)

NIMI
       töööl - teeb tööd

VÕTMED
{options}
FAILID
       /etc/tool.conf
\t      Seaded.

       /var/lib/tool/state
\t      Olek.

VÄLJUMINE
       0
\t      korras

       64
\t      kasutusviga

       TOOLWIDTH
\t      Veeru laius.

AADRESS
       {filler}
       Kirjuta aadressil vead@example.org vigadest.
"""


def test_a_manual_in_any_language_keeps_its_terms_with_what_they_are_said_to_be():
    options = "".join(
        f"       -{letter}, --{word}\n\t      {word.capitalize()} on see.\n\n{wrapped(prose(i, 9))}\n"
        for i, (letter, word) in enumerate(zip("abcdefghijkl", WORDS, strict=False))
    )
    (seen,) = views(MANUAL.format(options=options, filler=prose(50, 3)))
    for kept in ("/etc/tool.conf", "Olek.", "kasutusviga", "TOOLWIDTH", "Veeru laius.", "vead@example.org"):
        assert kept in seen.text
    assert all(f"--{word}\n\t      {word.capitalize()} on see." in seen.text for word in WORDS[:12])


def test_terms_without_blank_lines_between_are_pieces_of_their_own():
    lines = "   -p file\n\t   True if it is a pipe.\n   -r file\n\t   True if it can be read.".split("\n")
    assert [piece.text for piece in _text_blocks.pieces(lines)] == [
        "\n".join(lines[:2]),
        "\n".join(lines[2:]),
    ]


def test_the_share_of_a_view_falls_with_the_length_of_the_text():
    shares = [text._wish(length) / length for length in (5_000, 20_000, 100_000, 1_000_000)]
    assert shares == sorted(shares, reverse=True)
    assert 0.4 < shares[0] < 0.6
    assert 0.3 < shares[1] < 0.4


def test_a_line_of_many_megabytes_is_not_weighed_unless_a_bound_asks_for_it_cmp_55():
    look = payload.parse(b"abcdefghij klmno " * 1_000_000)
    assert list(text.views(look, Request(None, 60_000))) == []
    assert list(text.views(look, Request("klmno", 9_000))) == []
