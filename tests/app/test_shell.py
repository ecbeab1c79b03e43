import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_app import shell

LEFT_ALONE = [
    "",
    "   ",
    "ls",
    "cat file.py",
    "rm x",
    "tool --json > file.json",
    "tool --json | parser",
    'V=$(git rev-parse HEAD); echo "$V"',
    "pwd; case b in b) echo 2;; esac",
    "pytest -q | tail -5",
    "pytest -q && git push",
    "cd x && pytest",
    "pytest -q > out.txt",
    "pytest -q 2>&1",
    "pytest `cat args`",
    'pytest "$TESTS"',
    'pytest "a\\"b"',
    "pytest -k 'a\nb'",
    "pytest\nrm x",
    "(pytest)",
    "! pytest",
    "pytest &",
    "pytest # all",
    "pytest 'unclosed",
    "pytest \\",
    "pytest --pdb",
    "pytest -f",
    "jest --watch",
    "mocha -w",
    "pyright -w",
    "ruff check -w",
    "./gradlew build -t",
    "kubectl get pods --watch-only",
    "npx jest --watchAll=false",
    "npx tsc -w",
    "vitest",
    "npm run dev",
    "npm start",
    "cargo run",
    "cargo watch -x test",
    "cargo build --message-format=json",
    "make run",
    "python app.py",
    "python -c 'print(1)'",
    "python -m http.server",
    "docker logs -f web",
    "docker run -it x",
    "kubectl get pods -o json",
    "kubectl get pods -w",
    "kubectl logs web --follow",
    "git push",
    "git show HEAD~2:src/app.py",
    "pip freeze",
    "mypy --install-types",
    "git rebase -i HEAD~3",
    "git log --format=%H",
    "git diff --stat",
    "grep needle file",
    "grep -rc needle .",
    "rg --json needle",
    "rg --files",
    "find . -delete",
    "find . -exec rm {} +",
    "eslint --format=json src",
    "mypy --version",
    "sudo pytest",
    "caveman tools shrink -- pytest",
]
REWRITTEN = [
    "pytest",
    "pytest -q tests/test_a.py::test_b",
    "pytest tests/*.py -k 'not slow and (a or b)'",
    "FOO=1 BAR='a b' pytest -q",
    "  pytest -q  ",
    "/usr/bin/pytest",
    "python -m pytest -x",
    "python3.12 -m unittest discover",
    "npm test",
    "npm run build",
    "npx eslint src",
    "npx vitest run",
    "cargo test --workspace",
    "go test ./...",
    "make test",
    "mvn package",
    "pip install -r requirements.txt",
    "docker build .",
    "git log",
    "git diff HEAD~3",
    "grep -rn NEEDLE .",
    'rg "two words" src',
    "find . -name '*.py'",
    "ruff check .",
    "mypy src",
]


@pytest.mark.parametrize("command", LEFT_ALONE)
def test_anything_but_one_plain_noisy_finite_command_is_left_alone_agt_21_22_23(command):
    assert shell.shrinkable(command) is None


@pytest.mark.parametrize("command", REWRITTEN)
def test_a_noisy_command_is_prefixed_where_its_program_stands(command):
    offset = shell.shrinkable(command)
    assert offset is not None
    assert "=" not in command[offset:].split()[0]


@pytest.mark.parametrize(
    "command", ["a 'b c' d", 'a "b  c"', "a b\\ c", "a ''", "a 'it'\"'\"'s'", "a --x='1 2'"]
)
def test_words_are_those_of_the_shell(command):
    assert [word for _, word in shell.words(command)] == shlex.split(command)


@given(st.text(alphabet=" abc'\"\\$|;=*-\n#`", max_size=20))
def test_what_the_lexer_calls_plain_splits_as_the_shell_splits_it(command):
    found = shell.words(command)
    if found:
        script = f"set -f; for w in {command}; do printf '<%s>' \"$w\"; done"
        shown = subprocess.run(["sh", "-c", script], capture_output=True, text=True).stdout
        assert shown == "".join(f"<{word}>" for _, word in found)


@pytest.mark.parametrize(
    "argv",
    [
        ["head", "-5", "x"],
        ["sed", "-n", "1p", "x"],
        ["tool", "--json"],
        ["k", "-o", "json"],
        ["grep", "-rc", "x", "."],
    ],
)
def test_a_selection_is_known_by_program_or_flag(argv):
    assert shell.is_selection(argv)


@pytest.mark.parametrize(
    "argv",
    [["pytest", "-q"], ["git", "log"], ["cargo", "build"], ["sh", "-c", "echo"], ["python3", "-c", "x"]],
)
def test_a_whole_output_is_no_selection(argv):
    assert not shell.is_selection(argv)


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        (["pytest", "-v"], "terminal"),
        (["/venv/bin/python3", "-m", "pytest"], "terminal"),
        (["npx", "jest"], "terminal"),
        (["make", "all"], "terminal"),
        (["git", "diff"], None),
        (["rg", "x"], None),
        (["python", "app.py"], None),
        (["sh", "-c", "pytest"], None),
    ],
)
def test_only_runners_and_builds_have_a_type_that_is_sure(argv, found):
    assert shell.content_type(argv) == found
