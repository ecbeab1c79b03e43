"""What a command answers, and the notes that go with it. Text from a page stands quoted on one line.

Owns shapes and wording; calls nothing.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from caveman_browser.targets import Tab, Targets

_LONGEST_URL = 200


@dataclass(slots=True)
class Reply:
    """One command's answer. ``text`` is what the agent reads, notes included; ``data`` is the verb's own value.

    ``handle`` names the exact capture in the engine's recovery store; ``settled`` is None where no page was waited
    for. ``asides`` are for the person at the machine and not in the text.
    """

    text: str
    url: str | None = None
    title: str | None = None
    settled: bool | None = None
    handle: str | None = None
    notes: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)
    data: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Give the reply as ``--json`` and MCP's structured part show it."""
        shown = asdict(self)
        return {**shown.pop("data"), **shown}


def with_notes(text: str, notes: Iterable[str]) -> str:
    """Put each note on a line of its own after the text."""
    return "\n".join([text.rstrip("\n"), *(f"note: {note}" for note in notes)]).lstrip("\n")


def news(tab: Tab, targets: Targets, known: Iterable[str]) -> list[str]:
    """Say what happened beside the command: dialogs, what was blocked, pop-ups, downloads.

    ``known`` are the tabs from before.
    """
    notes = [f"dialog {each.kind} {quoted(each.text)}: {each.answer}" for each in tab.dialogs]
    notes += _blocked(tab)
    before = set(known)
    opened = [
        (number, each)
        for number, each in enumerate(list(targets.tabs.values()), 1)
        if each.target not in before
    ]
    notes += [f"new tab {number}: {short(each.url or 'about:blank')}" for number, each in opened]
    notes += [f"download not kept: {short(url)}" for url in targets.downloads]
    return notes


def tab_list(tabs: Iterable[Tab], chosen: str | None) -> list[dict[str, Any]]:
    """Give the open tabs with their numbers."""
    return [
        {
            "tab": number,
            "current": tab.target == chosen,
            "url": tab.url,
            "title": tab.title,
            "crashed": tab.crashed,
        }
        for number, tab in enumerate(tabs, 1)
    ]


def tab_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Write the list of tabs, the current one marked."""
    lines = [
        f"{'*' if row['current'] else ' '} {row['tab']} {short(row['url'])} {quoted(row['title'])}"
        for row in rows
    ]
    return "\n".join(lines) or "no page is open"


def short(url: str) -> str:
    """Give an address for reading: one made of its own content can be of any length."""
    return (
        url
        if len(url) <= _LONGEST_URL
        else f"{url[:_LONGEST_URL]}… (+{len(url) - _LONGEST_URL:,} characters)"
    )


def value_text(value: Any) -> str:
    """Write an expression's value: JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _blocked(tab: Tab) -> list[str]:
    """Sum up what was blocked by reason: a page may ask for the same thing a hundred times."""
    counts: dict[tuple[str, bool], int] = {}
    for each in tab.blocked:
        counts[each.reason, each.page] = counts.get((each.reason, each.page), 0) + 1
    return [
        f"blocked {'page' if page else 'part'}{f' ({count} requests)' if count > 1 else ''}: {reason}"
        for (reason, page), count in counts.items()
    ]


def quoted(text: str) -> str:
    """Quote a page's text on one line, without the characters that nobody can see."""
    line = json.dumps(text if len(text) <= 300 else text[:299] + "…", ensure_ascii=False)
    return "".join(char for char in line if char.isprintable())
