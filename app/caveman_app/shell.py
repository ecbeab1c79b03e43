"""Which shell commands may be run through the shrinker. Owns the lexer and the allow-list; runs nothing.

A command is only ever prefixed, never re-spelled: what the shell makes of quotes, globs and assignments stays as it
was. Whatever is not surely one plain, noisy, finite command is left alone.
"""

import re
from collections.abc import Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
# Operators, redirections, substitutions, comments and line ends (POSIX Shell Command Language, 2.2 to 2.6).
_SPECIAL = frozenset("|&;<>()$`\n\r#!{}")


def words(command: str) -> list[tuple[int, str]] | None:
    """Split one simple command into its words with their offsets; None for anything the shell would act upon.

    Quotes are taken off as the shell does it. A dollar sign, a backtick or a line end is refused in double quotes
    too; in single quotes everything but a line end is plain.
    """
    found: list[tuple[int, str]] = []
    position, end = 0, len(command)
    while position < end:
        if command[position] in " \t":
            position += 1
            continue
        start = position
        text = ""
        while position < end and command[position] not in " \t":
            char = command[position]
            if char in _SPECIAL:
                return None
            step = _quoted(command, position) if char in "'\"\\" else (char, position + 1)
            if step is None:
                return None
            text += step[0]
            position = step[1]
        found.append((start, text))
    return found


def _quoted(command: str, start: int) -> tuple[str, int] | None:
    """Read a quoted part or an escaped character; give its text and where it ends, None if it is not plain."""
    quote = command[start]
    if quote == "\\":
        following = command[start + 1 : start + 2]
        return (following, start + 2) if following and following not in "\n\r" else None
    close = command.find(quote, start + 1)
    if close < 0:
        return None
    inner = command[start + 1 : close]
    if "\n" in inner or "\r" in inner or (quote == '"' and any(char in inner for char in "$`\\!")):
        return None
    return inner, close + 1


# Programs whose output is read as a whole, which end by themselves and ask nothing. "": with any arguments.
# Otherwise the first argument that is no option must be one of the words.
_NOISY: dict[str, frozenset[str]] = {
    name: frozenset(subcommands.split())
    for name, subcommands in {
        "pytest": "",
        "py.test": "",
        "tox": "",
        "nox": "",
        "mypy": "",
        "pyright": "",
        "flake8": "",
        "pylint": "",
        "ruff": "check",
        "pip": "install download",
        "pip3": "install download",
        "uv": "sync",
        "poetry": "install update",
        "npm": "test t install i ci audit outdated",
        "pnpm": "test install i outdated",
        "yarn": "test install",
        "bun": "test install",
        "jest": "",
        "vitest": "run",
        "mocha": "",
        "tsc": "",
        "eslint": "",
        "biome": "check lint ci",
        "cargo": "build check test clippy doc bench fetch",
        "go": "build test vet",
        "golangci-lint": "run",
        "make": "all build check test lint install clean",
        "ninja": "",
        "ctest": "",
        "mvn": "test verify package install compile",
        "gradle": "build test check assemble",
        "gradlew": "build test check assemble",
        "dotnet": "build test restore",
        "bazel": "build test",
        "swift": "build test",
        "rspec": "",
        "phpunit": "",
        "composer": "install update",
        "bundle": "install",
        "docker": "build pull ps images logs",
        "kubectl": "get describe logs",
        "git": "log diff show",
        "rg": "",
        "grep": "",
        "find": "",
        "tree": "",
    }.items()
}
# What these print is of many types, or somebody else's.
_LISTERS = frozenset({"git", "rg", "grep", "find", "tree", "docker", "kubectl"})
_RUNNERS = frozenset({"npx", "bunx"})
_PYTHON = re.compile(r"python(3(\.\d+)?)?\Z")
_MODULES = frozenset({"pytest", "unittest", "mypy", "pip", "compileall", "tox", "nox", "flake8", "pylint"})
# Flags that watch, follow, ask or open a terminal; that pick the output's form or part; or print two lines anyway.
_UNFIT = re.compile(
    r"(--(watch[\w-]*|follow|interactive|tty|pdb\w*|trace|debug|ui|looponfail|continuous|edit|exec\w*|delete|ok\w*"
    r"|json\w*|format|message-format|reporter|output\w*|porcelain|pretty|null|print0|raw"
    r"|count|quiet|silent|files-with\w*|files-without\w*|files|only-matching|max-count|name-only|stat|shortstat|numstat"
    r"|help|version|install-types)(=.*)?|-(exec\w*|delete|ok\w*|print0|fprint\w*|it|ti))\Z"
)
_UNFIT_SHORT = {
    "grep": frozenset("clLoqmZz"),
    "rg": frozenset("clLoqm0"),
    "kubectl": frozenset("fwoi"),
    "docker": frozenset("fitq"),
    "git": frozenset("zOpP"),
    "jest": frozenset("wo"),
    "tsc": frozenset("wvh"),
    "mocha": frozenset("w"),
    "pyright": frozenset("w"),
    "ruff": frozenset("w"),
    "gradle": frozenset("t"),
    "gradlew": frozenset("t"),
    "pytest": frozenset("fh"),
    "npm": frozenset("wh"),
}


def shrinkable(command: str) -> int | None:
    """Give the offset at which the shrinker's call goes into ``command``, or None to leave it alone."""
    found = words(command)
    if not found:
        return None
    while found and _ASSIGNMENT.match(found[0][1]):
        found = found[1:]
    if not found or not is_noisy([text for _, text in found]):
        return None
    return found[0][0]


def program(command: str) -> str:
    """Give the name of the program that a plain command runs."""
    found = words(command)
    return found[0][1].rpartition("/")[2] if found else ""


def is_noisy(argv: Sequence[str]) -> bool:
    """Tell a program of the allow-list with arguments that leave its whole output to the reader."""
    name, *rest = _behind(argv)
    if name not in _NOISY or any(_unfit(name, word) for word in rest):
        return False
    return _is_sought(name, rest)


def content_type(argv: Sequence[str]) -> str | None:
    """Give the content type that a command's output surely has: what runners, builds and installers say."""
    name = _behind(argv)[0]
    return "terminal" if name in _NOISY and name not in _LISTERS else None


def _behind(argv: Sequence[str]) -> list[str]:
    """Give the program by its name, with its arguments, behind npx or ``python -m``."""
    name, rest = argv[0].rpartition("/")[2].removesuffix(".exe"), list(argv[1:])
    if name in _RUNNERS and rest:
        return _behind(rest)
    if _PYTHON.match(name) and rest[:1] == ["-m"] and rest[1:2] and rest[1] in _MODULES:
        return ["pip" if rest[1] == "pip" else "pytest", *rest[2:]]
    return [name, *rest]


def _is_sought(name: str, rest: Sequence[str]) -> bool:
    """Look at the sub-command, and at the few programs that tell finite from endless by more than that."""
    first = next((word for word in rest if not word.startswith("-")), "")
    if name == "npm" and first in ("run", "run-script"):
        script = next((word for word in rest if not word.startswith("-") and word != first), "")
        return script in ("test", "build", "lint", "typecheck")
    if name == "git" and any(":" in word for word in rest):
        return False  # a file of a commit: what is read to be edited stays whole
    if name == "grep":
        return any(word.startswith("--recursive") or re.match(r"-[A-Za-z]*[rR]", word) for word in rest)
    return not _NOISY[name] or first in _NOISY[name]


def _unfit(name: str, word: str) -> bool:
    if _UNFIT.match(word):
        return True
    short = _UNFIT_SHORT.get(name, frozenset())
    return word[:1] == "-" and word[:2] != "--" and any(char in short for char in word[1:])


_SELECTORS = frozenset({"head", "tail", "sed", "awk", "cut", "jq", "yq", "wc", "nl", "base64", "xxd", "od"})
_SELECTING = re.compile(
    r"(--(json\w*|porcelain|count|print0|null|only-matching|files-with\w*)(=.*)?|--(format|output|message-format)=json.*)\Z"
)


def is_selection(argv: Sequence[str]) -> bool:
    """Tell a command that already picks what to show, or prints for a program: its output is not touched."""
    name = argv[0].rpartition("/")[2] if argv else ""
    if name in _SELECTORS:
        return True
    pairs = list(zip(argv, [*argv[1:], ""], strict=True))
    if any(flag in ("--format", "--output", "-o") and value == "json" for flag, value in pairs):
        return True
    if name in ("grep", "rg", "egrep", "fgrep") and any(re.match(r"-[a-zA-Z]*c", word) for word in argv[1:]):
        return True
    return any(_SELECTING.match(word) for word in argv[1:])
