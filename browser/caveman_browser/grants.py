"""Who may write where: grants from browser.toml and the command, the address lists, and what a project takes away.

Reads files and never writes one. Knows nothing of Chrome: it is asked before Chrome is.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from caveman_browser import errors
from caveman_browser.policy import OriginRule, Policy, parse
from caveman_engine.home import home

FILE = "browser.toml"
ACTIONS = ("click", "type", "clear", "press", "select", "check", "uncheck", "hover", "upload", "dialog")
"""Verbs of `act`. Evaluating an expression is a grant of its own."""
VERBS = (*ACTIONS, "eval")
_KEYS = ("command_line_grants", "grant", "pages", "parts")


@dataclass(frozen=True, slots=True)
class Grant:
    """Verbs that hold on one origin, and who gave them."""

    origin: OriginRule
    verbs: frozenset[str]
    source: str


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that holds for one command. ``ignored`` says what was asked for in vain, and why."""

    policy: Policy
    grants: tuple[Grant, ...]
    verbs: frozenset[str]
    ignored: tuple[str, ...] = ()

    def require(self, verb: str, url: str | None = None) -> None:
        """Raise `WriteDenied` unless a grant holds for ``verb`` on the page ``url`` (None: on any page)."""
        if verb not in VERBS:
            raise errors.BadRequest(f"there is no verb {verb!r}", hint="one of " + ", ".join(VERBS))
        if verb in self.verbs and any(verb in grant.verbs and _holds(grant, url) for grant in self.grants):
            return
        where = f" on {_origin(url)}" if url else ""
        reasons = [reason for reason in self.ignored if verb in reason]
        raise errors.WriteDenied(
            f"no grant for {verb}{where}" + (f": {reasons[0]}" if reasons else ""),
            where=os.path.join(home(), FILE),
            hint="a person grants it there by origin and verb, or for one command with --allow " + verb,
        )

    def as_dict(self) -> dict[str, Any]:
        """Give what holds and why, for `caveman tools browse grants`."""
        policy = self.policy
        return {
            "grants": [
                {
                    "origin": str(grant.origin),
                    "verbs": sorted(grant.verbs & self.verbs),
                    "source": grant.source,
                }
                for grant in self.grants
            ],
            "ignored": list(self.ignored),
            "pages": {"allow": _texts(policy.allow), "deny": _texts(policy.deny)},
            "parts": {"allow": _texts(policy.parts_allow), "deny": _texts(policy.parts_deny)},
        }


def load(allow: Iterable[str] = (), *, source: str = "--allow", folder: str | None = None) -> Rules:
    """Read the rules that hold in ``folder``, with the verbs that the command itself grants.

    Raises `BadRule` for a file that cannot be understood, `BadRequest` for a verb that does not exist.
    """
    file = os.path.join(home(), FILE)
    table = _read(file)
    grants = [_grant(row, file) for row in table.get("grant", [])]
    ignored: list[str] = []
    asked = frozenset(_verb(verb, source) for verb in allow)
    if asked and table.get("command_line_grants", True) is not True:
        ignored.append(f"{source} {','.join(sorted(asked))}: {file} switches grants of a command off")
    elif asked:
        grants.append(Grant(OriginRule(None, "*", None), asked, source))
    verbs, taken = _project(folder)
    return Rules(_policy(table, file), tuple(grants), verbs, (*ignored, *taken))


def _project(folder: str | None) -> tuple[frozenset[str], tuple[str, ...]]:
    """Give the verbs that the project's settings leave, and a word on those that they take."""
    from caveman_engine import config

    setting = config.load(folder).setting("browser.verbs")
    left = frozenset(setting.value)
    taken = [verb for verb in VERBS if verb not in left]
    return left, (f"{', '.join(taken)}: taken away by {setting.source}",) if taken else ()


def _read(file: str) -> Mapping[str, Any]:
    """Read browser.toml; an absent one is empty. One that others can write grants nothing: it is an error."""
    try:
        with open(file, "rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            data = opened.read()
    except FileNotFoundError:
        return {}
    except OSError as trouble:
        raise errors.BadRule(
            f"cannot be read: {trouble}", where=file, hint="correct or move the file"
        ) from trouble
    if os.name == "posix" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise errors.BadRule("others can write this file", where=file, hint=f"chmod 600 {file}")
    import tomllib

    try:
        table = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
        raise errors.BadRule(f"no valid TOML: {trouble}", where=file, hint="correct the file") from trouble
    _known(table, _KEYS, file)
    return table


def _grant(row: Any, file: str) -> Grant:
    _known(row, ("origin", "verbs"), file)
    origin, verbs = row.get("origin"), row.get("verbs")
    if not isinstance(origin, str) or not isinstance(verbs, list):
        raise errors.BadRule("a [[grant]] needs an origin and a list of verbs", where=file)
    return Grant(OriginRule.parse(origin), frozenset(_verb(verb, file) for verb in verbs), file)


def _policy(table: Mapping[str, Any], file: str) -> Policy:
    lists: dict[str, tuple[OriginRule, ...] | None] = {}
    for section in ("pages", "parts"):
        rows = table.get(section, {})
        _known(rows, ("allow", "deny"), file)
        for key in ("allow", "deny"):
            value = rows.get(key)
            if value is not None and not (
                isinstance(value, list) and all(isinstance(each, str) for each in value)
            ):
                raise errors.BadRule(f"{section}.{key} is no list of origins", where=file)
            lists[f"{section}.{key}"] = None if value is None else tuple(map(OriginRule.parse, value))
    return Policy(
        lists["pages.allow"], lists["pages.deny"] or (), lists["parts.allow"], lists["parts.deny"] or ()
    )


def _known(table: Any, keys: tuple[str, ...], file: str) -> None:
    if not isinstance(table, dict):
        raise errors.BadRule(f"{table!r} is no table", where=file)
    for key in table:
        if key not in keys:
            raise errors.BadRule(
                f"there is no key {key!r}", where=file, hint="known here: " + ", ".join(keys)
            )


def _verb(verb: Any, where: str) -> str:
    if verb not in VERBS:
        raise errors.BadRequest(f"there is no verb {verb!r}", where=where, hint="one of " + ", ".join(VERBS))
    return str(verb)


def _holds(grant: Grant, url: str | None) -> bool:
    if url is None or grant.origin.host == "*":
        return True
    try:
        return grant.origin.matches(parse(url))
    except errors.UrlRefused:
        return False


def _origin(url: str) -> str:
    try:
        return parse(url).origin
    except errors.UrlRefused:
        return "this page"


def _texts(rules: tuple[OriginRule, ...] | None) -> list[str] | None:
    return None if rules is None else [str(rule) for rule in rules]
