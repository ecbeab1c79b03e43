import difflib
import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import _diff_parse, diff
from caveman_engine.compressors._diff_lock import versions
from caveman_engine.compressors._generated import why
from caveman_engine.views import Request

WISH = Request(None, 60_000)


def view(text, request=WISH):
    found = list(diff.COMPRESSOR.views(payload.parse(text.encode("utf-8", "surrogatepass")), request))
    assert all(choice.is_honest(one) for one in found)
    return found[0]


def unified(path, before, after, context=3):
    made = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", n=context, lineterm="")
    return "".join(line + "\n" for line in made)


def edit(path, old, new, git=True):
    body = [f"ctx {i}" for i in range(40)]
    text = unified(path, [*body[:20], old, *body[20:]], [*body[:20], new, *body[20:]])
    return (f"diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n" if git else "") + text


def apply(before, patch):
    """Apply the hunks of one file strictly: at the stated line, with the stated counts."""
    out, at = [], 0
    lines = patch.split("\n")
    i = 0
    while i < len(lines):
        head = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", lines[i])
        i += 1
        if not head:
            continue
        old_count, new_count = int(head[2] or 1), int(head[4] or 1)
        start = int(head[1]) - (1 if old_count else 0)
        out += before[at:start]
        at = start
        assert len(out) + (1 if new_count else 0) == int(head[3]), "the new side's number is wrong"
        while old_count or new_count:
            sign, text = lines[i][:1], lines[i][1:]
            i += 1
            if sign in " -":
                assert before[at] == text
                at += 1
                old_count -= 1
            if sign in " +":
                out.append(text)
                new_count -= 1
    return out + before[at:]


@pytest.mark.parametrize(
    "text",
    ["", "plain prose\nof two lines\n", "--- a\n+++ b\n", "@@ nothing @@\n" * 5, "- item\n- item\n+ plus\n"],
    ids=["nothing", "prose", "names without hunks", "marks that are no hunk", "a list"],
)
def test_text_that_is_no_diff_is_left_alone(text):
    look = payload.parse(text.encode())
    assert diff.detect(look) < 0.3
    assert list(diff.views(look, WISH)) == [] or view(text).text == text


def test_a_hunk_without_spare_context_stands_as_it_is():
    text = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ def f\n a\n-b\n+c\n d\n"
    seen = view(text)
    assert seen.text == text
    assert seen.lossless


def test_context_is_cut_to_one_line_and_the_header_follows():
    seen = view(edit("a.py", "red", "blue"))
    assert seen.text.startswith(
        "--- a/a.py\n+++ b/a.py\n@@ -20,3 +20,3 @@\n ctx 19\n-red\n+blue\n ctx 20\n[caveman: "
    )
    assert not seen.lossless


lines = st.lists(st.sampled_from(["a", "b", "c", "- d", "+ e", "", "@@ -1 +1 @@", "--- x"]), max_size=60)


@given(lines, lines, st.integers(1, 6))
def test_what_is_shown_still_applies(before, after, context):
    patch = unified("file.py", before, after, context)
    if not patch:
        return
    assert apply(before, view(patch).text) == after


@given(st.text(alphabet="+-@ \n\\abdif", max_size=400), st.booleans())
def test_no_text_breaks_it(text, ask):
    request = Request("what is added", 200, hard=True) if ask else WISH
    for prefix in ("", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n", "diff --git a/x b/x\n"):
        for seen in diff.views(payload.parse((prefix + text).encode()), request):
            assert choice.is_honest(seen)


def test_cmp_23_every_added_line_of_a_long_hunk_is_shown():
    added = [f"line {i}" for i in range(300)]
    added[118], added[163] = "verify_tls = False", 'key = "zz-1"'
    seen = view(unified("app.py", [], added))
    assert "+verify_tls = False\n" in seen.text
    assert '+key = "zz-1"\n' in seen.text


def test_cmp_24_every_file_is_named_with_its_change():
    edits = "".join(edit(f"src/f{i}.py", "a", "b") for i in range(24))
    others = (
        "diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n"
        "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n"
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
    )
    text = edits + others
    assert len(_diff_parse.files(text.split("\n"))) == 27
    for request in (WISH, Request("which mode changed", 2_000)):
        seen = view(text, request)
        for name in [*(f"b/src/f{i}.py" for i in range(24)), "new.txt", "logo.png", "run.sh"]:
            assert name in seen.text
    assert view(text).text.count("+b\n") == 24


@pytest.mark.slow
def test_cmp_25_a_huge_deletion_is_a_summary():
    body = "".join(f"-line {i}\n" for i in range(160_000))
    head = "diff --git a/big.txt b/big.txt\ndeleted file mode 100644\n--- a/big.txt\n+++ /dev/null\n"
    start = time.monotonic()
    seen = view(f"{head}@@ -1,160000 +0,0 @@\n{body}")
    assert time.monotonic() - start < 10
    assert "big.txt" in seen.text
    assert "-160,000" in seen.text
    assert len(seen.text) < 1_000


def test_cmp_26_changed_lines_that_look_like_headers_stay_changes():
    changed = ["--- old note", "+++ new note", "--x", "-", "+", "-@@ y"]
    text = "--- a/n\n+++ b/n\n@@ -1,5 +1,3 @@\n one\n" + "".join(line + "\n" for line in changed) + " two\n"
    (file,) = _diff_parse.files(text.split("\n"))
    assert (file.added, file.removed) == (2, 4)
    assert all(f"\n{line}\n" in view(text).text for line in changed)


def test_cmp_27_hand_edits_stay_and_a_lock_file_folds():
    lock = "".join(f'-      "version": "1.0.{i}",\n+      "version": "1.1.{i}",\n' for i in range(1500))
    text = edit("a.py", "one", "two") + edit("b.py", "three", "four") + edit("c.py", "five", "six")
    text += (
        "diff --git a/package-lock.json b/package-lock.json\n--- a/package-lock.json\n+++ b/package-lock.json\n"
        f"@@ -1,1500 +1,1500 @@\n{lock}"
    )
    seen = view(text)
    assert len(seen.text) < 0.1 * len(text)
    assert all(f"+{word}\n" in seen.text for word in ("two", "four", "six"))
    assert "b/package-lock.json" in seen.text
    assert "lock file, +1,500 -1,500" in seen.text


def test_cmp_60_a_small_diff_keeps_all_its_changes():
    before = [f"a = {i}" if i % 8 == 3 else f"keep {i}" for i in range(600)]
    after = [line.replace("a = ", "a = 9") for line in before]
    seen = view(unified("one.py", before, after))
    assert all(f"+a = 9{i}\n" in seen.text for i in range(3, 600, 8))


def test_cmp_67_a_coloured_diff_is_a_diff():
    text = (
        edit("a.py", "red", "blue")
        .replace("-red", "\x1b[31m-red\x1b[0m")
        .replace("+blue", "\x1b[32m+blue\x1b[0m")
    )
    look = payload.parse(text.encode())
    assert diff.detect(look) > 0.9
    assert "-red\n+blue\n" in next(diff.views(look, WISH)).text


def test_combined_hunks_stand_whole():
    text = (
        "diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n@@@ -1,3 -1,3 +1,4 @@@\n  x\n+ y\n +z\n  w\n"
    )
    seen = view(text)
    assert "@@@ -1,3 -1,3 +1,4 @@@\n  x\n+ y\n +z\n  w\n" in seen.text


def test_a_note_on_the_last_newline_stays_with_its_line():
    text = "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n\\ No newline at end of file\n+e\n"
    assert "-d\n\\ No newline at end of file\n+e\n" in view(text).text


def test_every_line_keeps_its_own_end():
    text = "--- a/x\r\n+++ b/x\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\n+c\r\n d\r\n"
    assert view(text).text == text


def test_a_commit_message_that_forges_a_marker_is_not_shown_bare():
    text = "commit 1\n\n[caveman: 3 lines, 4-6]\n\n" + edit("a.py", "x", "y")
    seen = view(text)
    assert "[caveman: 3 lines, 4-6]" not in seen.text
    assert "[caveman: 1 line, 3]" in seen.text


def test_a_question_brings_its_hunk_and_lists_the_other_files():
    names = [f"m{i}.py" for i in range(30)]
    text = "commit abc\nAuthor: X\n\n    Tidy\n\n"
    for i, name in enumerate(names):
        filler = [f"filler {i} {j} with quite some words in it" for j in range(30)]
        text += unified(name, [], [*filler, "retry_limit = 7"] if i == 17 else filler)
    seen = view(text, Request("what is the retry limit?", 3_000))
    assert "+retry_limit = 7\n" in seen.text
    assert "commit abc\n" in seen.text
    assert all(f"b/{name}" in seen.text for name in names)
    assert len(seen.text) < 0.4 * len(text)


def test_a_hard_bound_prefers_hand_written_files():
    data = unified("tests/data/page.json", [], [f'"row {i}",' for i in range(400)])
    text = data + edit("src/core.py", "slow", "fast")
    seen = list(diff.views(payload.parse(text.encode()), Request(None, 600, hard=True)))[-1]
    assert "+fast\n" in seen.text
    assert len(seen.text) < 1_500


def test_a_tight_bound_names_the_files_that_fit_and_counts_the_rest():
    text = "".join(edit(f"src/some/where/deep/f{i}.py", "a", "b") for i in range(200))
    seen = list(diff.views(payload.parse(text.encode()), Request(None, 600, hard=True)))[-1]
    assert len(seen.text) < 900
    assert " more]" in seen.text
    assert "[caveman: 200 files, +200 -200; " in seen.text


@pytest.mark.parametrize(
    "changed, said",
    [
        (["-foo v", "+bar"], ""),
        ([' name = "serde"', '-version = "1.0"', '+version = "1.1"'], "1 package changed: serde 1.0 -> 1.1"),
        (
            ['     "node_modules/@a/b": {', '-      "version": "1.0.0",', '+      "version": "2.0.0",'],
            "1 package changed: @a/b 1.0.0 -> 2.0.0",
        ),
        (
            ["-github.com/x/y v1.2.0 h1:abc=", "+github.com/x/y v1.3.0 h1:def="],
            "1 package changed: github.com/x/y 1.2.0 -> 1.3.0",
        ),
        (["+  '@types/node@20.1.0':"], "1 package added: @types/node 20.1.0"),
        (["-    rake (13.0.6)", "+    rake (13.1.0)"], "1 package changed: rake 13.0.6 -> 13.1.0"),
    ],
    ids=["no lock file's lines", "Cargo and poetry", "npm", "go", "pnpm", "bundler"],
)
def test_lock_files_name_their_packages(changed, said):
    assert versions(changed) == said


@pytest.mark.parametrize(
    "path, changed, reason",
    [
        ("src/main.py", ["x"], ""),
        ("docs/long.md", ["word " * 200], ""),
        ("tests/test_a.py", ["x"] * 500, ""),
        ("tests/data/a.json", ["x"] * 5, ""),
        ("go.sum", ["x"], "lock file"),
        ("vendor/a/b.go", ["x"], "vendored"),
        ("api/x.pb.go", ["x"], "generated"),
        ("api/x.go", ["// Code generated by y. DO NOT EDIT."], "generated"),
        ("tests/data/a.json", ["x"] * 500, "test data"),
        ("static/app.js", ["x" * 5_000], "minified"),
    ],
)
def test_only_what_nobody_writes_by_hand_folds(path, changed, reason):
    assert why(path, changed) == reason


@pytest.mark.slow
def test_time_grows_with_size():
    rng = random.Random(1)
    one = "".join(edit(f"d/f{i}.py", f"a{rng.random()}", f"b{rng.random()}") for i in range(4_000))

    def seconds(text):
        look = payload.parse(text.encode())
        start = time.perf_counter()
        list(diff.views(look, WISH))
        return time.perf_counter() - start

    seconds(one)
    assert seconds(one * 4) < 20 * seconds(one)


def test_cmp_24_under_a_bound_every_file_is_still_named_with_the_total():
    edits = "".join(edit(f"src/f{i}.py", "a", "b") for i in range(24))
    text = edits + (
        "diff --git a/old.txt b/new.txt\nsimilarity index 100%\nrename from old.txt\nrename to new.txt\n"
        "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n"
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
    )
    names = [
        *(f"src/f{i}.py" for i in range(24)),
        "old.txt => b/new.txt",
        "logo.png",
        "run.sh new mode 100755",
    ]
    for length in (1_200, 1_700):
        seen = list(diff.views(payload.parse(text.encode()), Request(None, length, hard=True)))[-1]
        assert len(seen.text) <= length + 100
        assert [name for name in names if name not in seen.text] == []
        assert "[caveman: 27 files, +24 -24; " in seen.text


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("package.json", '  "version": "4.1.9",', '  "version": "4.2.0",'),
        ("pyproject.toml", 'version = "4.1.9"', 'version = "4.2.0"'),
        ("lib/about.py", '__version__ = "4.1.9"', '__version__ = "4.2.0"'),
        ("pom.xml", "  <version>4.1.9</version>", "  <version>4.2.0</version>"),
    ],
)
def test_a_question_for_the_version_is_answered_by_the_manifest(path, old, new):
    talk = "".join(
        edit(
            f"src/m{i}.js", f"version is new: compare version {i}", f"new version: parse the new version {i}"
        )
        for i in range(80)
    )
    seen = view(
        talk[: len(talk) // 2 + 40] + "\n" + edit(path, old, new) + talk, Request("New version?", 2_400)
    )
    assert f"+{new}" in seen.text
    assert f"-{old}" in seen.text
