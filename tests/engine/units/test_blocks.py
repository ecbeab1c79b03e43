from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.units.blocks import blocks, hunks


def parts(units):
    return [units.text[start:end] for start, end in zip(units.starts, units.ends, strict=True)]


def test_each_top_level_definition_is_whole():
    text = "import a\n\n\n@cached\n# why\ndef f(x):\n    return x\n\nclass C:\n    y = 1\n"
    assert parts(blocks(text)) == [
        "import a\n\n\n",
        "@cached\n# why\ndef f(x):\n    return x\n\n",
        "class C:\n    y = 1\n",
    ]


def test_closing_brackets_belong_to_what_they_close():
    text = "func a() {\n\tx()\n}\n\nif y {\n\tz()\n} else {\n\tw()\n}\n"
    assert len(parts(blocks(text))) == 2


def test_a_long_class_is_cut_into_methods_that_know_their_class():
    text = "class C:\n" + "".join(
        f"    def m{i}(self):\n        a = {i}\n        return a\n\n" for i in range(30)
    )
    units = blocks(text)
    assert len(units) == 31
    assert units.text[slice(*units.context(7))] == "class C:"
    assert units.context(0) is None
    assert units.outline() == ["class C:"]


def test_configuration_is_cut_into_sections():
    text = "[a]\nx = 1\ny = 2\n\n[b]\nz = 3\n"
    assert parts(blocks(text))[0].startswith("[a]\nx = 1")
    yaml = "jobs:\n" + "".join(
        f"  job-{i}:\n    timeout: 80\n    run: |\n      a\n      b\n" for i in range(20)
    )
    units = blocks(yaml)
    assert [part.split(":")[0].strip() for part in parts(units)][:3] == ["jobs", "job-0", "job-1"]


def test_each_hunk_knows_its_file():
    text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\ndiff --git a/y b/y\nBinary\n"
    units = hunks(text)
    assert [part.split("\n")[0] for part in parts(units)] == [
        "diff --git a/x b/x",
        "@@ -1 +1 @@",
        "@@ -9 +9 @@",
        "diff --git a/y b/y",
    ]
    assert units.text[slice(*units.context(2))].startswith("diff --git a/x b/x\n--- a/x")
    assert units.context(3) is None
    assert units.outline() == ["diff --git a/x b/x", "diff --git a/y b/y"]


@given(st.text(alphabet="ab \n\t@#}{:-+"))
def test_units_of_any_text_join_to_the_text(text):
    for units in (blocks(text), hunks(text)):
        assert "".join(parts(units)) == text
