"""The rules of the house that no linter knows: sizes, mirrors, faces, one door to sqlite."""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
SOURCES = sorted(
    path for top in ("engine", "cavemem", "browser", "app") for path in ROOT.glob(f"{top}/caveman_*/**/*.py")
)
CEILING, LONGEST_FUNCTION = 400, 60
# A longer module needs a reason here: "path": "why it is one idea all the same".
LONGER: dict[str, str] = {}


def name(path: pathlib.Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_module_is_one_idea_and_says_what_it_owns(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= CEILING or name(path) in LONGER, "split it, or give the reason"
    assert ast.get_docstring(ast.parse(text)), "a module says what it owns and what it must never know"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_function_fits_on_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", [p for p in SOURCES if p.stem != "__init__"], ids=name)
def test_a_module_has_a_test_file_of_its_name(path):
    """A private part, such as ``_code_outline``, may be tested through its whole: ``test_code``."""
    stem = path.stem.lstrip("_")
    whole = stem.split("_")[0] if path.stem.startswith("_") else stem
    tests = {test.stem for test in ROOT.glob("tests/**/test_*.py")}
    pattern = re.compile(rf"test_({re.escape(stem)}|{re.escape(whole)})(_\w+)?")
    assert any(map(pattern.fullmatch, tests)), f"tests/**/test_{stem}.py is missing"


def test_only_the_database_module_imports_sqlite3():
    doors = [
        name(path)
        for path in SOURCES
        if re.search(r"^\s*(import sqlite3|from sqlite3)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert doors == ["engine/caveman_engine/database.py"]


@pytest.mark.parametrize("top", ["engine", "cavemem", "browser", "app"])
def test_a_top_folder_says_what_it_owns_and_where_it_ends(top):
    text = (ROOT / top / "README.md").read_text(encoding="utf-8")
    assert all(heading in text for heading in ("Owns", "Does not own", "Boundary rule"))


def test_the_readme_is_short_and_names_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert "make demo" in text
    assert "make test" in text
