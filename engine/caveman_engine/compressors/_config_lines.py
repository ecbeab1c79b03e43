"""Configuration as a tree of lines: keys, values, parents, comments. Owns how a line is read; knows no views.

One reader for YAML, TOML, INI, .env, properties, HCL, nginx, XML and directive files: depth comes from indentation
and sections, which all of them keep when people write them. Nothing is evaluated.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_COMMENT = re.compile(r"\s*(?:#|;|//|<!--|!)")
_SECTION = re.compile(r"\s*\[{1,2}[^\[\]{}:=]+\]{1,2}\s*(?:[#;].*)?\Z")
_PAIR = re.compile(
    r"""\s*(?:-\s+)*("[^"]*"|'[^']*'|[^\s:=#"'{}<>\[\](),;|!][^\s:=#"'{}<>|;]*)\s*(?::(?=\s|\Z)|=(?!=))\s*(.*)\Z"""
)
_TAG = re.compile(r"\s*<([\w:.-]+)[^<>]*>?([^<]*)")
_WORDS = re.compile(r"\s*([A-Za-z_][\w.-]*)(?:\s+(.*))?\Z")
_ITEM = re.compile(r"\s*-(?:\s|\Z)")
_BLOCK = re.compile(r"(?:- +)?(?:[&!]\S+ +)*[|>][+-]?\d?[+-]?\s*(?:#.*)?\Z|.*<<-?['\"]?\w+['\"]?\Z")
_ARRAY = re.compile(r"\s*[\w\"'.@/-]+\s*=\s*\[[^\]]*(?:#.*)?\Z")
_ARRAY_END = re.compile(r".*\]\s*,?\s*(?:#.*)?\Z")
_COMMENT_HEADS, _CLOSING_HEADS = frozenset("#;/<!"), frozenset("]})<e")
_CLOSING = re.compile(r"\s*(?:[\]})]+[;,]?|</[\w:.-]+>|end)\s*\Z")


class Line(NamedTuple):
    """One line: its depth, the index of its parent (-1 for none), and what it says.

    ``key`` is "" where there is none (list items, block text, closing brackets).
    """

    depth: int
    parent: int
    key: str = ""
    value: str = ""
    comment: bool = False
    block: bool = False  # text of a block scalar or here-document
    item: bool = False

    @property
    def blank(self) -> bool:
        """Tell a line that says nothing."""
        return not self.key and not self.value and not self.block


def parse(lines: Sequence[str]) -> list[Line]:
    """Read the tree; blank lines belong to the line before them.

    Lines of one block text, and blank lines in a row, are one object: files of a million lines are read.
    """
    out: list[Line] = []
    stack: list[tuple[int, int]] = []  # indentation and index of the open parents
    section = -1
    block = -1  # the indentation of the key whose block text is running
    for i, text in enumerate(lines):
        head = text.lstrip()[:1]  # most forms can be told from it without trying them
        blank = not head
        indent = _indentation(text)
        if block >= 0 and (blank or indent > block):
            parent = stack[-1][1]
            out.append(out[-1] if out[-1].block else Line(out[parent].depth + 1, parent, block=True))
            continue
        if blank:
            last = out[-1] if out else Line(0, -1)
            out.append(last if last.blank else Line(last.depth, last.parent))
            continue
        block = -1
        if head == "[" and _SECTION.match(text):
            section, stack = i, []
            out.append(Line(0, -1, text.strip()))
            continue
        item = head == "-" and _ITEM.match(text) is not None
        level = 2 * indent + (1 if item else 0)
        while stack and stack[-1][0] >= level:
            stack.pop()
        parent = stack[-1][1] if stack else section
        depth = out[parent].depth + 1 if parent >= 0 else 0
        if head in _COMMENT_HEADS and _COMMENT.match(text):
            out.append(Line(depth, parent, "", text.strip(), comment=True))
            continue
        key, value = _key_value(text)
        out.append(Line(depth, parent, sys.intern(key), value, item=item))
        if head not in _CLOSING_HEADS or not _CLOSING.match(text):
            stack.append((level, i))
            marked = "|" in value or ">" in value or "<<" in value
            block = indent if marked and _BLOCK.match(value) else -1
    return out


def _indentation(text: str) -> int:
    text = text.expandtabs(4) if "\t" in text else text
    return len(text) - len(text.lstrip())


def _key_value(text: str) -> tuple[str, str]:
    for form in (_PAIR, _TAG, _WORDS):
        if (found := form.match(text)) is not None:
            return found[1].strip("\"'"), (found[2] or "").strip().rstrip(",;")
    return "", text.strip()


def score(lines: Sequence[str]) -> float:
    """Tell configuration by the forms of its lines: 0 to 0.9."""
    full = [line for line in lines if line.strip()]
    if len(full) < 4:
        return 0.0
    tree = parse(lines)
    active = [
        text
        for text, line in zip(lines, tree, strict=True)
        if text.strip() and not line.comment and not line.block
    ]
    if len(active) < 3:
        return 0.0
    if len(active) < 0.03 * len(full):
        # A manual with a few settings in it: nothing but settings may stand between the comments.
        return _pairs([line for line in active if not line[0].isspace()] or [""])
    wordy = sum(len(line.split()) > 14 for line in active)
    if wordy > 0.2 * len(active) or re.match(r"[{\[]\s*(?:[\"{\[\]}]|\Z)", active[0].strip()):
        return 0.0
    start = full[0].lstrip("\ufeff ").lower()
    if start.startswith("<?xml") or (start.startswith("<") and _share(active, r"\s*</?[\w:.-]+") > 0.7):
        return (
            0.0
            if re.search(r"<(?:!doctype html|html|head|body|div)\b", "\n".join(full[:20]).lower())
            else 0.85
        )
    return max(
        _yaml(active), _sections(active), _pairs(active), _blocks(active), _directives(active, len(full))
    )


def _share(lines: Sequence[str], form: str) -> float:
    matches = re.compile(form).match
    return sum(matches(line) is not None for line in lines) / len(lines)


def _yaml(active: Sequence[str]) -> float:
    """Tell YAML: keys with a colon, list items, nesting."""
    keys = _share(
        active, r"""\s*(?:- +)*(?:"[^"]+"|'[^']+'|[\w$./@*<{&-][^:\s"']*(?: [^:\s"']+){0,2}):(?: |\Z)"""
    )
    items = _share(active, r"\s*- ")
    indents = len({len(line) - len(line.lstrip()) for line in active})
    code = _share(active, r".*[;{]\s*\Z|\s*(?:def|class|func|import|return|if|for|while)\b.*|.*\)\s*\Z")
    if keys < 0.3 or keys + items < 0.6 or indents < 2 or code > 0.3:
        return 0.0
    stamped = _share(active, r"\s*\[?\d{2,4}[-/:]\d\d[-/:]\d\d|\w{3} +\d+ \d\d:\d\d")
    return 0.85 if stamped < 0.2 else 0.0


def _sections(active: Sequence[str]) -> float:
    """Tell INI and TOML: sections and pairs."""
    sections = _share(active, r"\s*\[{1,2}[\w\"' .:/@-]+\]{1,2}\s*\Z")
    outside = list(_outside_arrays(active))
    pairs = _share(outside, r"\s*[\w\"'.@/-]+\s*=\s*\S?") * len(outside) / len(active)
    arrays = 1 - len(outside) / len(active)
    return 0.85 if sections and pairs and sections + pairs + arrays > 0.6 else 0.0


def _outside_arrays(active: Sequence[str]) -> Iterator[str]:
    """Give the lines that are no items of an array over several lines; where one never ends, all lines."""
    inside: list[str] = []
    opened = False
    for line in active:
        if not opened:
            opened = _ARRAY.match(line) is not None
            yield line
        elif _ARRAY_END.match(line):
            inside, opened = [], False
        else:
            inside.append(line)
    yield from inside


def _pairs(active: Sequence[str]) -> float:
    """Tell .env and properties: pairs throughout."""
    return 0.7 if _share(active, r"(?:export )?[A-Za-z_][\w.-]*\s?[=:](?!//)\s?[^;{]*\Z") > 0.92 else 0.0


def _blocks(active: Sequence[str]) -> float:
    """Tell HCL and nginx: named blocks in braces, pairs or directives inside, no calls."""
    opened = _share(active, r"""\s*[\w-]+(?:\s+[\w"'.~/^$*\\-]+)*\s*=?\s*\{\s*\Z""")
    inside = _share(
        active, r"""\s*(?:[\w."-]+\s*=\s*[^;]+\Z|[a-z_]+\s+[^(){}=]+;\s*\Z|[\]})]+,?\s*\Z|"[^"]*",?\s*\Z)"""
    )
    return 0.75 if opened > 0.04 and opened + inside > 0.75 else 0.0


def _directives(active: Sequence[str], total: int) -> float:
    """Tell a directive file: plain words and arguments among many comments."""
    words = _share(active, r"[A-Za-z][\w.-]*(?:[ \t]+[^\s(){}=;][^(){};]*)?\Z")
    return 0.7 if words > 0.9 and len(active) < 0.7 * total else 0.0
