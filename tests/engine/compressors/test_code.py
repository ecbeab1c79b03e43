import ast
import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import _code_languages, code, text
from caveman_engine.views import Request

WISH = Request(None, 60_000)


def look(text):
    return payload.parse(text.encode("utf-8", "surrogatepass"))


def view(text, request=WISH):
    found = list(code.COMPRESSOR.views(look(text), request))
    assert all(choice.is_honest(one) for one in found)
    return found[0]


def body(rows, indent, end=""):
    return "".join(f"{indent}total = total + step_{i}{end}\n" for i in range(rows))


SOURCES = {
    "python": (
        "import os\n\n\ndef reconcile(ledger):\n" + body(8, "    ") + "    return ledger\n",
        "def reconcile(ledger):",
    ),
    "javascript": (
        "const fs = require('fs');\n\nfunction reconcile(ledger) {\n"
        + body(8, "  ", ";")
        + "}\nmodule.exports = reconcile;\n",
        "function reconcile(ledger) {",
    ),
    "typescript": (
        "import { Ledger } from './ledger';\n\nexport class Books {\n  private name: string;\n\n"
        "  reconcile(ledger: Ledger): void {\n" + body(8, "    ", ";") + "  }\n}\n",
        "  reconcile(ledger: Ledger): void {",
    ),
    "go": (
        "package books\n\nfunc Reconcile(ledger *Ledger) error {\n" + body(8, "\t") + "\treturn nil\n}\n",
        "func Reconcile(ledger *Ledger) error {",
    ),
    "rust": (
        "use std::fs;\n\npub fn reconcile(ledger: &Ledger) -> Result<()> {\n    let mut total = 0;\n"
        + body(8, "    ", ";")
        + "    Ok(())\n}\n",
        "pub fn reconcile(ledger: &Ledger) -> Result<()> {",
    ),
    "java": (
        "package books;\nimport java.util.List;\n\npublic class Books {\n    public void reconcile(List<Item> ledger) {\n"
        + body(8, "        ", ";")
        + "    }\n}\n",
        "    public void reconcile(List<Item> ledger) {",
    ),
    "c": (
        "#include <stdio.h>\n\nint reconcile(struct ledger *ledger)\n{\n    int total = 0;\n"
        + body(8, "    ", ";")
        + "    return total;\n}\n",
        "int reconcile(struct ledger *ledger)\n{",
    ),
    "cpp": (
        "#include <vector>\nnamespace books {\nclass Books {\npublic:\n    int reconcile(std::vector<int> ledger) {\n"
        "        auto total = 0;\n" + body(8, "        ", ";") + "        return total;\n    }\n};\n}\n",
        "    int reconcile(std::vector<int> ledger) {",
    ),
    "c-sharp": (
        "using System;\n\nnamespace Books;\n\npublic class Book\n{\n    public int Id { get; set; }\n\n"
        "    public void Reconcile(int ledger)\n    {\n" + body(8, "        ", ";") + "    }\n}\n",
        "    public void Reconcile(int ledger)\n    {",
    ),
    "ruby": (
        "require 'json'\n\nclass Books\n  attr_reader :name\n\n  def reconcile(ledger)\n"
        + body(8, "    ")
        + "  end\nend\n",
        "  def reconcile(ledger)",
    ),
    "bash": (
        "#!/bin/bash\n\nreconcile() {\n  local total=0\n"
        + '  total="$total $step"\n' * 8
        + '}\n\nreconcile "$1"\n',
        "reconcile() {",
    ),
    "php": (
        "<?php\nnamespace Books;\n\nfunction reconcile($ledger) {\n"
        + "    $total = $total + $step;\n" * 8
        + "}\n",
        "function reconcile($ledger) {",
    ),
}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "Prose about a function; it ends here.\nAnd goes on (in brackets).\n" * 20,
        '{"a": [1, 2, {"b": null}]}\n' * 20,
        "name: build\non: push\njobs:\n  test:\n    runs-on: linux\n" * 10,
        "2026-03-01 10:00:00,123 - app - INFO - step 1\n" * 40,
        "".join(f"src/m{i}.py:{i}:def f{i}(x): {{\n" for i in range(60)),
        "a,b,c\n1,2,3\n" * 30,
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: 3\n' * 40,
        "Exception in thread main\n\tat com.x.Foo.bar(Foo.java:12)\n\tat com.x.Main.main(Main.java:3)\n" * 40,
    ],
    ids=[
        "nothing",
        "one line",
        "prose",
        "JSON",
        "YAML",
        "log",
        "grep over code",
        "CSV",
        "Python frames",
        "Java frames",
    ],
)
def test_text_that_is_no_code_is_not_taken_for_it(text):
    assert code.detect(look(text)) < 0.3


@pytest.mark.parametrize("name", SOURCES)
def test_each_language_is_recognised_and_outlined(name):
    text, signature = SOURCES[name]
    found = _code_languages.recognised(look(text).lines)
    assert found is not None
    assert found[0].name == name
    assert code.detect(look(text)) >= 0.6
    seen = view(text)
    assert signature in seen.text
    assert "step" not in seen.text
    assert re.search(r"\[caveman: L\d+-L\d+\]", seen.text)
    assert "step" in view(text, Request("reconcile(", 4_000)).text


@pytest.mark.parametrize("name", SOURCES)
def test_a_missing_grammar_passes_the_input(name, monkeypatch):
    monkeypatch.setattr(_code_languages, "_parser", lambda language: None)
    text, _ = SOURCES[name]
    assert code.detect(look(text)) < 0.3
    assert list(code.views(look(text), WISH)) == []


def test_short_bodies_and_short_files_stay():
    text = "import os\n\n\ndef f(x):\n    y = x\n    return y\n\n\ndef g(x):\n    return x\n"
    assert view(text).text == text


def outline_source():
    def method(i):
        cached = "    @cached\n" if i % 5 == 0 else ""
        return (
            f"{cached}    def m{i}(self, value):\n"
            + "".join(f"        value = value + {j}\n" for j in range(8))
            + "\n"
        )

    nested = "def outer(values):\n    def inner(one):\n        one += 1\n        one += 2\n        one += 3\n        return one\n"
    nested += body(6, "    ") + "    return inner(values)\n\n\n"
    classes = "".join(f"class C{c}:\n" + "".join(method(i) for i in range(20)) + "\n" for c in range(2))
    return (
        "from __future__ import annotations\n\n\n"
        + classes
        + nested
        + "def reconcile(ledger):\n"
        + body(30, "    ")
    )


def test_cmp_47_a_python_outline_is_valid_code():
    text = outline_source()
    seen = view(text)
    ast.parse(seen.text)
    assert len(seen.text) < 0.5 * len(text)
    for line in text.splitlines():
        if line.lstrip().startswith(("class ", "@cached", "from ")) or re.match(r"(    )?def ", line):
            assert line.strip() in seen.text
    lines = text.splitlines()
    start = lines.index("def reconcile(ledger):") + 2
    assert f"    ...  # [caveman: L{start}-L{start + 29}]\n" in seen.text
    assert seen.shown == sum("[caveman:" not in line for line in seen.text.splitlines())


def test_cmp_48_the_body_that_is_asked_for_is_whole():
    parts = [f"def f{i}(x):\n" + body(12, "    ") for i in range(40)]
    wanted = "def reconcile(ledger):\n" + "".join(
        f"    ledger[{i}] = check(ledger[{i}], {i})\n" for i in range(30)
    )
    text = "\n\n".join([*parts[:20], wanted, *parts[20:]])
    assert wanted in view(text, Request("def reconcile", 3_000)).text


def test_cmp_13_nothing_in_a_kept_line_is_shortened():
    text = "".join(f"function getItem{i}(a) {{\n  if (a) {{\n    return null;\n  }}\n}}\n" for i in range(60))
    kept = [line for line in view(text).text.splitlines() if "[caveman:" not in line]
    assert set(kept) <= set(text.splitlines())


def test_cmp_56_a_gutter_keeps_the_numbers_of_its_lines():
    source = SOURCES["python"][0].splitlines()
    text = "".join(f"{100 + i:>6}\t{line}\n" for i, line in enumerate(source))
    seen = view(text)
    assert "   103\tdef reconcile(ledger):\n" in seen.text
    assert "[caveman: L104-L112]" in seen.text


def test_what_a_caller_meets_of_a_body_is_quoted():
    text = (
        "import os\n\n\ndef load(path):\n"
        + body(6, "    ")
        + '    if not path:\n        raise ValueError("no path given")\n'
        '    home = os.environ["BOOKS_HOME"]\n    token = "Bearer abcdefghijklmnopqrstuvwxyz"; raise Error("x y z")\n'
        "    retry_limit = 25\n"
        '    db_password = "hush 77"; log.error("no such thing here")\n'
        "    return home\n"
    )
    (fold,) = [line for line in view(text).text.splitlines() if "[caveman:" in line]
    assert 'raise ValueError("no path given")' in fold
    assert 'home = os.environ["BOOKS_HOME"]' in fold
    assert "retry_limit = 25" in fold
    assert "Bearer" not in fold
    assert "hush" not in fold


def test_a_docstring_shows_its_first_line_and_closes():
    text = 'import os\n\n\ndef f(a):\n    """Give a.\n\n    Long story.\n    More of it.\n    """\n' + body(
        8, "    "
    )
    seen = view(text)
    assert '    """Give a.\n    """\n    ...  # [caveman: L6-L8, L10-L17]\n' in seen.text
    ast.parse(seen.text)


def test_a_long_comment_keeps_its_beginning_and_its_cues():
    comment = (
        "".join(f"// Remark {i} on the matter.\n" for i in range(20)) + "// Deprecated: use Other.\n// End.\n"
    )
    seen = view("package a\n\n" + comment + "func F() {\n" + body(6, "\t") + "}\n")
    assert "// Remark 0 " in seen.text
    assert "// Remark 10 " not in seen.text
    assert "// Deprecated: use Other.\n" in seen.text


def test_a_module_wrapper_is_entered():
    inner = "".join(f"  function part{i}(a) {{\n" + body(6, "    ", ";") + "  }\n" for i in range(10))
    seen = view(f"(function () {{\n{inner}  exports.part = part0;\n}})();\n")
    assert all(f"  function part{i}(a) {{\n" in seen.text for i in range(10))
    assert "step_1" not in seen.text


def test_a_long_literal_folds_between_elements():
    rows = "".join(f"    ({i}, {i + 1},\n     'pair {i}'),\n" for i in range(60))
    rest = "".join(f"\n\ndef f{i}(x):\n    return PAIRS[x]\n" for i in range(5))
    seen = view(f"import os\n\nPAIRS = [\n{rows}]\n{rest}")
    ast.parse(seen.text)
    assert "'pair 2'" in seen.text
    assert "'pair 59'" in seen.text
    assert "'pair 30'" not in seen.text


def test_input_with_such_a_comment_passes():
    assert list(code.views(look(SOURCES["python"][0] + "# [caveman: L1-L2]\n"), WISH)) == []


def test_broken_code_is_still_outlined():
    text = SOURCES["go"][0] + "\nfunc Broken( {\n\tx := \n" + SOURCES["go"][0].split("\n", 2)[2]
    assert "func Reconcile(ledger *Ledger) error {\n" in view(text).text


def test_a_hard_bound_shows_signatures_first():
    text = "import os\n\n\n" + "\n\n".join(f"def f{i}(x):\n" + body(12, "    ") for i in range(30))
    seen = list(code.views(look(text), Request(None, 1_500, hard=True)))[-1]
    assert len(seen.text) < 4_000
    assert sum(f"def f{i}(x):\n" in seen.text for i in range(30)) >= 10


@settings(max_examples=60)
@given(st.sampled_from(sorted(SOURCES)), st.integers(0, 400), st.integers(0, 400), st.text(max_size=20))
def test_no_damage_breaks_it(name, first, last, dirt):
    text = SOURCES[name][0] * 2
    text = text[:first] + dirt + text[last:]
    for request in (WISH, Request("what is the total", 300, hard=True)):
        for seen in code.views(look(text), request):
            assert choice.is_honest(seen)
            kept = [line for line in seen.text.splitlines() if "[caveman:" not in line]
            assert (
                seen.shown == len(kept)
                or "\r" in text
                or any(c in text for c in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
            )


@pytest.mark.slow
def test_nesting_and_size_do_not_hang():
    rng = random.Random(1)
    one = "".join(f"def f{i}(x):\n" + body(8, f"    if x > {rng.random()}: ") for i in range(1_000))
    nested = "const a = [\n" + "[\n" * 5_000 + "function x() {\n  return 1;\n  return 2;\n}\n" + "]\n" * 5_001

    def seconds(text):
        start = time.perf_counter()
        list(code.views(look(text), WISH))
        return time.perf_counter() - start

    seconds(one)
    assert seconds(one * 4) < 20 * seconds(one)
    assert seconds(SOURCES["javascript"][0] + nested) < 20


@pytest.mark.parametrize(
    ("opening", "line", "closing"),
    [("/**", " * ", " */"), ("/*", "", "*/"), ("", "// ", ""), ('"""', "", '"""')],
)
def test_well_commented_source_is_still_source(opening, line, closing):
    words = (
        "The ledger is read twice, as the first reading only counts its rows. The second one adds them up."
    )
    comment = "\n".join([opening, *[line + words] * 60, closing]) + "\n"
    name = "python" if opening == '"""' else "java"
    source = SOURCES[name][0]
    found = payload.parse((comment + source + comment + source).encode())
    assert code.detect(found) >= 0.6
    assert code.detect(found) > text.detect(found)


def test_a_patch_of_source_is_not_parsed_as_source(monkeypatch):
    monkeypatch.setattr(_code_languages, "parse", lambda *_: pytest.fail("parsed"))
    source = SOURCES["python"][0]
    patch = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,9 +1,9 @@\n" + source
    assert code.detect(payload.parse(patch.encode())) == 0.0


@pytest.mark.parametrize(
    "run", [" ", "\t", '"', "'", "(", "err(", "raise ", "a", "* ", "-", "at (", "/*", "[a", "{"]
)
def test_a_long_run_of_one_character_takes_no_time(run):
    source = SOURCES["python"][0]
    dirty = source.replace("\n", f"\n    x('{run * (20_000 // len(run))}!')\n", 3)
    start = time.process_time()
    code.detect(payload.parse(dirty.encode()))
    list(code.COMPRESSOR.views(payload.parse(dirty.encode()), Request(run * 5_000, 3_000)))
    assert time.process_time() - start < 3
