"""Which packages a lock file's diff moves. Owns the lines by which lock files name a package and its version."""

import re
from collections.abc import Iterable

# A line that opens a package: npm, Cargo/poetry/uv, yarn, pnpm, composer, Gemfile.
_NAMES = re.compile(
    r'\s*"(?:node_modules/)?(?:.*/node_modules/)?((?:@[\w.-]+/)?[\w.-]+)": \{\s*\Z'
    r'|\s*"?name"? ?[=:] ?"([^"]+)",?\s*\Z'
    r'|"?((?:@[\w.-]+/)?[\w.-]+)@[^:]*:\s*\Z'
)
_VERSION = re.compile(r'\s*"?version"?(?: ?[=:] ?| )"?v?(\d[\w.+-]*)"?,?\s*\Z')
# Name and version on one line: pnpm keys, go.sum, Gemfile.lock.
_BOTH = re.compile(
    r"\s*'?/?((?:@[\w.-]+/)?[\w.-]+)@(\d[\w.+-]*)(?:\([^)]*\))*'?:\s*\Z"
    r"|([\w.~/-]+\.[\w.~/-]+) v(\d[\w.+-]*)(?:/go\.mod)? h1:\S+\s*\Z"
    r"|\s{4,6}([\w.-]+) \((\d[\w.]*)\)\s*\Z"
)
_MOST_NAMED = 20


def versions(changed: Iterable[str]) -> str:
    """Say which packages change version, come or go; ``changed`` are a hunk's lines with their sign."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    name = ""
    for line in changed:
        sign, text = line[:1], line[1:]
        if found := _BOTH.match(text):
            groups = [part for part in found.groups() if part]
            _note(before, after, sign, groups[0], groups[1])
        elif found := _NAMES.match(text):
            name = next(part for part in found.groups() if part)
        elif name and (found := _VERSION.match(text)):
            _note(before, after, sign, name, found[1])
    return _said(before, after)


def _note(before: dict[str, str], after: dict[str, str], sign: str, name: str, version: str) -> None:
    if sign == "-":
        before.setdefault(name, version)
    elif sign == "+":
        after[name] = version


def _said(before: dict[str, str], after: dict[str, str]) -> str:
    both = [name for name in before if name in after and after[name] != before[name]]
    moved = [f"{name} {before[name]} -> {after[name]}" for name in both]
    come = [f"{name} {version}" for name, version in after.items() if name not in before]
    gone = [f"{name} {version}" for name, version in before.items() if name not in after]
    groups = (("changed", moved), ("added", come), ("removed", gone))
    return "; ".join(_group(word, names) for word, names in groups if names)


def _group(word: str, names: list[str]) -> str:
    first = "" if len(names) <= _MOST_NAMED else f", first {_MOST_NAMED}"
    noun = "package" if len(names) == 1 else "packages"
    return f"{len(names)} {noun} {word}{first}: {', '.join(names[:_MOST_NAMED])}"
