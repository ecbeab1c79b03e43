"""[search-result]: grouping can be undone, hits stay with their numbers and files, counts are the source's."""

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine.choice import is_honest
from caveman_engine.compressors import search
from caveman_engine.payload import from_text
from caveman_engine.views import Request


def ungrouped(text):
    """Take a grouped view apart again: ``path (n)`` over n lines is n lines ``path:12:text``."""
    lines = re.findall(r"[^\n]*\n", text)
    out = []
    index = 0
    while index < len(lines):
        head = re.fullmatch(r"(.+?)(/?) \(([\d,]+)\)\n", lines[index])
        left = int(head[3].replace(",", "")) if head else 0
        if (
            not left
            or index + left >= len(lines)
            or not (head[2] or re.match(r"\d+[:-]|--\n", lines[index + 1]))
        ):
            out.append(lines[index])
            index += 1
            continue
        index += 1
        while left:
            line = lines[index]
            if line == "--\n":
                out.append(line)
            else:
                glue = "/" if head[2] else re.match(r"\d+([:-])", line)[1]
                out.append(head[1] + glue + line)
                left -= 1
            index += 1
    return "".join(out)


def grouped(text):
    view = next(search.views(from_text(text), Request(None, 60_000)), None)
    return view if view is not None and view.method == "grouped" else None


def blocks(shown):
    """Pair each hit of a view with the path that stands over it or in it."""
    path, pairs = "", []
    for line in shown:
        if head := re.fullmatch(r"(\S+) \([\d,]+\)", line):
            path = head[1]
        elif full := re.match(r"(\S+?):(\d+):(.*)", line):
            pairs.append((full[1], full[2], full[3]))
        elif short := re.match(r"(\d+):(.*)", line):
            pairs.append((path, short[1], short[2]))
    return pairs


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"2026-03-01 10:{n % 60:02}:00,123 - app - INFO - step {n}\n" for n in range(60)),
        "".join(f"2026-10-01,{n},9.50\n" for n in range(60)),
        "".join(f"src/w.c:{n}:5: warning: unused variable 'v{n}'\n" for n in range(60)),
        "".join(f"pkg/m.py:{n}: error: Name 'v{n}' is not defined\n" for n in range(60)),
        "".join(f"key{n}: value {n}\n" for n in range(60)),
        "".join(f"{n % 24:02}:{n % 60:02}:00 worker started\n" for n in range(60)),
        "".join(f"http://host:80{n}/a: ok\n" for n in range(60)),
        "".join(f"home.page{n}.title: Welcome {n}\n" for n in range(60)),
        "".join(f"www{n}.example.com\n" for n in range(60)),
    ],
    ids=["log", "dated table", "compiler", "linter", "mapping", "clock", "addresses", "settings", "names"],
)
def test_lines_with_colons_that_are_no_hits_are_left_to_others(text):
    assert search.detect(from_text(text)) < 0.5


def test_cmp_11_lines_of_one_file_with_dashes_are_not_rewritten(compress, lines_of):
    lines = [f"a/b/c-7-d.py-{n}-text {n}" for n in range(1, 501)]
    shown, _ = lines_of(compress("\n".join(lines)))
    assert set(shown) <= set(lines)


def test_cmp_12_each_number_stands_with_its_own_text(compress, lines_of):
    lines = ["a.py:3:red", "a.py:40:green", "a.py:41:blue", "a.py:900:black"]
    lines += [f"b{n % 20}.py:{n}:item {n}" for n in range(400)]
    shown, _ = lines_of(compress("\n".join(lines) + "\n"))
    pairs = blocks(shown)
    assert pairs
    assert {":".join(pair) for pair in pairs} <= set(lines)
    assert {":".join(pair) for pair in pairs} >= set(lines[:4])


def test_cmp_14_shown_and_left_out_hits_add_up(compress, lines_of):
    result = compress("".join(f"src/f{n % 9}.py:{n}:import logging\n" for n in range(300)))
    shown, markers = lines_of(result)
    more = sum(int(m[1]) for line in markers if (m := re.match(r"\[caveman: (\d+) more", line)))
    assert (result.unit, result.total) == ("hits", 300)
    assert len(blocks(shown)) == result.shown
    assert result.shown + more == 300


def test_cmp_18_a_cut_list_of_paths_says_how_many_each_folder_has(compress, lines_of):
    lines = [f"d{k}/f{n}.txt" for k in range(7) for n in range(40 + k)]
    text = "\n".join(lines) + "\n"
    result = compress(text, max_tokens=300)
    _, markers = lines_of(result)
    more = [re.match(r"\[caveman: (\d+) more of (\d+) in d(\d)", line) for line in markers]
    for found in filter(None, more):
        assert int(found[2]) == 40 + int(found[3])
    assert result.shown + sum(
        int(m[1]) for m in map(re.compile(r"\[caveman: (\d+) more").match, markers) if m
    ) == len(lines)


def test_cmp_19_a_long_hit_is_cut_around_the_match(compress):
    long = "x" * 250 + "NEEDLE" + "y" * 44
    lines = [f"src/a{n}.js:{n}:const value{n} = {n};" for n in range(200)]
    lines[90] = f"src/bundle.js:7:{long}"
    view = compress("\n".join(lines), query="NEEDLE").output.decode()
    (cut,) = re.findall(
        r"\[caveman: .* is cut: ([\d,]+) characters before this part, ([\d,]+) after it\]\n(.*)", view
    )
    assert "NEEDLE" in cut[2]
    whole = lines[90] if cut[2] in lines[90] else ""
    assert int(cut[0]) + len(cut[2]) + int(cut[1]) in (len(whole), len(whole) - len("src/bundle.js:"))


def test_cmp_20_a_single_files_hits_invent_no_file(compress):
    lines = [f"{n}:MODE first:second" if n % 2 else f"{n}:MODE c:\\dir:7" for n in range(31, 231)]
    view = compress("\n".join(lines)).output.decode()
    assert "31:MODE first:second" in view
    assert not re.search(r"^(MODE|c) \(", view, re.MULTILINE)


def test_cmp_21_the_one_other_hit_is_shown_and_each_file_counted(compress):
    lines = [f"src/f{n % 12}.py:{n}:deprecated = {'True' if n == 198 else 'False'}" for n in range(1, 241)]
    view = compress("\n".join(lines)).output.decode()
    assert "198:deprecated = True" in view
    for k in range(12):
        assert f"src/f{k}.py (20)" in view or f"src/f{k}.py 20" in view


def test_cmp_22_search_over_source_is_no_code(compress):
    rnd = random.Random(3)
    lines = sorted(f"src/m{rnd.randrange(40)}.py:{n}:def f{n}(x): {{" for n in range(400))
    result = compress("\n".join(lines) + "\n")
    assert result.content_type == "search-result"
    assert result.ratio >= 0.4


def test_cmp_19_a_cut_hit_says_its_file_and_line(compress):
    long = "foo(bar); " * 25 + "NEEDLE" + " tail" * 9
    lines = [f"src/a{n}.js:12:{n} {long}" for n in range(40)]
    view = compress("\n".join(lines), query="NEEDLE").output.decode()
    assert "[caveman: src/a0.js:12 is cut: " in view


def test_cmp_22_the_only_hit_of_a_file_costs_its_path_too(compress):
    result = compress("".join(f"src/m{n}.py:{n * 3}:def f{n}(x): {{\n" for n in range(1, 401)))
    assert result.content_type == "search-result"
    assert result.ratio >= 0.4


def test_grouping_by_file_loses_nothing():
    text = "".join(f"src/m{n // 9}.py:{n}:def f{n}(x):\n" for n in range(90)) + "ChangeLog:7:one hit\n"
    view = grouped(text)
    assert view.lossless
    assert view.text.startswith("src/m0.py (9)\n0:def f0(x):\n")
    assert view.text.endswith("\nChangeLog:7:one hit\n")
    assert ungrouped(view.text) == text


def test_a_selection_reads_like_this():
    lines = [f"src/f{n // 20}.py:{n}:import logging" for n in range(60)]
    lines[33] = "src/f1.py:33:import logging as log"
    views = list(search.views(from_text("\n".join(lines) + "\n"), Request(None, 4000)))
    assert (
        views[-1].text
        == """\
src/f0.py (20)
0:import logging
[caveman: 19 more of 20 in src/f0.py]
src/f1.py (20)
20:import logging
33:import logging as log
[caveman: 18 more of 20 in src/f1.py]
src/f2.py (20)
40:import logging
[caveman: 19 more of 20 in src/f2.py]
"""
    )


def test_context_lines_and_separators_come_back():
    text = "".join(
        f"a/b-7-c.py-{n}-before\na/b-7-c.py:{n + 1}:found\na/b-7-c.py-{n + 2}-after\n--\n"
        for n in range(0, 90, 9)
    )
    view = grouped(text)
    assert ungrouped(view.text) == text
    assert len(view.text) < 0.6 * len(text)


def test_records_of_ripgrep_become_lines_with_the_summary_kept(compress):
    records = []
    names = [
        f"{a}_{b}"
        for a in "amber birch cedar dogwood elm fir".split()
        for b in "root bark leaf seed bud stem twig limb cone burr pith node crown sap ring knot trunk fork vein tip".split()
    ]
    for n in range(120):
        data = {
            "path": {"text": f"src/m{n // 10}.rs"},
            "lines": {"text": f"    let {names[n]} = x.unwrap();\n"},
            "line_number": n,
        }
        records.append({"type": "match", "data": {**data, "absolute_offset": n * 70, "submatches": []}})
    records.append({"type": "summary", "data": {"stats": {"matches": 120, "bytes_searched": 46944}}})
    text = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    result = compress('{"type":"begin","data":{"path":{"text":"src/m0.rs"}}}\n' + text)
    view = result.output.decode()
    assert result.content_type == "search-result"
    assert result.ratio > 0.5
    assert "src/m11.rs (10)\n" in view
    assert "\n119:    let fir_tip = x.unwrap();\n" in view
    assert '"bytes_searched":46944' in view


def test_a_found_text_cannot_pose_as_a_marker(compress):
    lines = [f"src/a{n // 5}.py:[caveman: 500 lines, {n}-900]" for n in range(80)]
    view = compress("\n".join(lines)).output.decode()
    assert not any(line.startswith("[caveman: 500 lines") for line in view.splitlines())


def test_a_question_brings_the_hit_it_asks_for(compress):
    rnd = random.Random(5)
    words = ["alloc", "buffer", "stream", "window", "index", "table", "state"]
    lines = [f"lib/p{n // 8}.c:{n * 7}:    {rnd.choice(words)}_{rnd.choice(words)}({n});" for n in range(300)]
    lines[170] = "lib/p21.c:1190:    release_all_sockets(pool);"
    result = compress("\n".join(lines), query="where are the sockets released")
    assert "1190:    release_all_sockets(pool);" in result.output.decode()
    assert result.ratio > 0.75


PATH = st.sampled_from(["a.py", "src/b-3-c.py", "Makefile", "x/y z.txt", "C:\\d\\e.c", "12.txt"])
TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\n"), max_size=20)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(PATH, st.integers(1, 9999), st.sampled_from(":-"), TEXT), min_size=4, max_size=40))
def test_whatever_is_grouped_without_loss_can_be_rebuilt(hits):
    text = "".join(f"{path}{sep}{number}{sep}{found}\n" for path, number, sep, found in hits)
    view = grouped(text)
    if view is not None and view.lossless and not re.search(r"\([\d,]+\)$", text, re.MULTILINE):
        assert ungrouped(view.text) == text


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=40), st.sampled_from([None, "where is it"]))
def test_any_lines_make_an_honest_view_or_none(lines, query):
    payload = from_text("\n".join(lines))
    search.detect(payload)
    for view in search.views(payload, Request(query, 500)):
        assert is_honest(view)


def test_results_of_single_tests_are_no_hits():
    lines = [f"tests/test_a.py::test_number_{n} PASSED [{n:3}%]" for n in range(100)]
    assert search.detect(from_text("\n".join(lines))) < 0.2


def test_the_first_and_the_last_hit_are_shown_when_asked_for(compress):
    hits = [f"src/{'abc'[n // 200]}.py:{n + 1}:    raise Problem{n * 31}(cause_{n})" for n in range(600)]
    text = "\n".join(hits)
    assert hits[-1].partition(":")[2] in compress(text, query="What is the last hit?").output.decode()
    assert hits[0].partition(":")[2] in compress(text, query="Where is the first hit?").output.decode()
