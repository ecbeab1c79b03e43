"""Which programming language a text is in. Owns telling lines, the grammars and what a comment looks like.

Grammars are imported on first use; one that is not installed makes its language unknown, nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree


@dataclass(frozen=True, slots=True)
class Language:
    """``telling`` matches lines that hardly stand in another language; ``entry`` is the grammar's function.

    ``sure`` must match some line, for a grammar that reads almost any text.
    """

    name: str
    module: str
    telling: re.Pattern[str]
    extensions: tuple[str, ...]
    comment: str = "//"
    entry: str = "language"
    sure: re.Pattern[str] | None = None


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_SCRIPT = (
    r"^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*=",
    r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b.*[({]",
    r"^import\s.*\bfrom\s+['\"]",
    r"\brequire\(['\"]",
    r"=>\s*[{(]",
    r" [=!]== ",
    r"^\s*(?:[\w$]+\.)+prototype\b",
    r"^\s*[\w$]+: (?:async )?function\s*\(",
    r"^\s*export\s+(?:class|default|\{)",
    r"\bthis\.[\w$]+",
    r"^\s*}\)?;$",
)
_C = (
    r"^\s*#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b",
    r"^(?:static |extern |const |inline )*(?:unsigned |struct )?\w+[ *]+\**\w+\([^;]*\)?\s*\{?$",
    r"\w+->\w+",
    r"^\s*(?:typedef\s|struct\s+\w+\s*\{)",
    r"^\s*(?:int|char|size_t|void|unsigned|uint\d+_t|const char) \*?\w+(?: =.*)?;$",
    r"\b(?:NULL|sizeof|nullptr)\b",
)
LANGUAGES = (
    Language(
        "python",
        "tree_sitter_python",
        _any(
            r"^\s*(?:async\s+)?def\s+\w+\(",
            r"^\s*class\s+\w+(?:\(.*\))?:$",
            r"^\s*(?:from\s+[\w.]+\s+import\s|import\s+[\w.]+(?:\s+as\s+\w+)?$)",
            r"^\s*(?:if|elif|for|while|with|except|else|try|finally)\b.*:$",
            r"\bself\.\w+",
            r"^\s*@\w[\w.]*(?:\(.*\))?$",
            r"^\s*(?:return|raise|yield|assert)\b[^;{]*$",
        ),
        (".py", ".pyi"),
        "#",
    ),
    Language("javascript", "tree_sitter_javascript", _any(*_SCRIPT), (".js", ".mjs", ".cjs", ".jsx")),
    Language(
        "typescript",
        "tree_sitter_typescript",
        _any(
            *_SCRIPT,
            r"[\w)?]:\s*(?:string|number|boolean|void|any|unknown|never|Promise<)",
            r"^\s*(?:export\s+)?(?:interface|type|enum|abstract class|declare)\s+\w+",
            r"^\s*(?:private|public|protected|readonly)\s",
            r"^import type\b",
        ),
        (".ts", ".mts", ".cts"),
        entry="language_typescript",
    ),
    Language(
        "go",
        "tree_sitter_go",
        _any(
            r"^package\s+\w+$",
            r"^func\s",
            r"^type\s+\w+\s+(?:struct|interface|func)",
            r"\s:=\s",
            r"^\s*if err != nil",
            r"^import \($",
            r"^\t+\w+\s+[*\[\]\w.]+\s+`json:",
            r"^\s*defer\s",
            r"^\t*return .*\bnil\b",
        ),
        (".go",),
    ),
    Language(
        "rust",
        "tree_sitter_rust",
        _any(
            r"^\s*(?:pub(?:\(\w+\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+\w+",
            r"^\s*let\s+(?:mut\s+)?\w+.*[=;]",
            r"^\s*(?:pub\s+)?use\s+[\w:]+",
            r"^\s*(?:pub\s+)?(?:impl|trait|enum|struct|mod)\b",
            r"^\s*#!?\[",
            r"\w+!\(",
            r"\bmatch\s.*\{$",
            r"\bSome\(|\bOk\(|\bErr\(|\.unwrap\(",
        ),
        (".rs",),
    ),
    Language(
        "java",
        "tree_sitter_java",
        _any(
            r"^import\s+(?:static\s+)?[\w.]+\*?;$",
            r"^package\s+[\w.]+;$",
            r"^\s*(?:public|private|protected)\s.*[({;]$",
            r"^\s*@(?:Override|Test|Nullable|Inject|Autowired)\b",
            r"\bnew\s+\w+(?:<.*>)?\(",
            r"\bthrows\s+\w+",
            r"^\s*(?:final\s+)?(?:String|int|boolean|long|List<.*>|Map<.*>)\s+\w+\s*[=;]",
        ),
        (".java",),
    ),
    Language("c", "tree_sitter_c", _any(*_C), (".c", ".h")),
    Language(
        "cpp",
        "tree_sitter_cpp",
        _any(
            *_C,
            r"\bstd::\w+",
            r"^\s*template\s*<",
            r"^\s*(?:namespace\s+\w+|using\s+\w+)",
            r"^\s*(?:public|private|protected):$",
            r"\w+::\w+\(",
            r"\b(?:auto|const auto)&?\s+\w+\s*=",
        ),
        (".cc", ".cpp", ".cxx", ".hpp", ".hh"),
    ),
    Language(
        "c-sharp",
        "tree_sitter_c_sharp",
        _any(
            r"^\s*using\s+(?:static\s+)?[\w.]+;$",
            r"^\s*namespace\s+[\w.]+;?$",
            r"^\s*(?:public|private|protected|internal)\s.*",
            r"\{\s*get;",
            r"^\s*\[\w+(?:\(.*\))?\]$",
            r"\bvar\s+\w+\s*=\s*(?:new|await)\b",
        ),
        (".cs",),
    ),
    Language(
        "ruby",
        "tree_sitter_ruby",
        _any(
            r"^\s*def\s+[\w.?!=]+",
            r"^\s*end$",
            r"^\s*require(?:_relative)?\s+['\"]",
            r"\bdo(?:\s+\|.*\|)?$",
            r"^\s*(?:attr_\w+|include|extend|module)\s",
            r"^\s*@\w+\s*(?:\|\|)?=",
            r"\.(?:each|map|nil\?|empty\?)\b",
        ),
        (".rb",),
        "#",
    ),
    Language(
        "bash",
        "tree_sitter_bash",
        _any(
            r"^#!.*\b(?:ba|z|k|da)?sh\b",
            r"^\s*(?:fi|done|esac|then|do)$",
            r"^\s*(?:if|elif|while)\s+(?:!\s+)?\[",
            r"^\s*(?:local|export|readonly|declare|unset)\s+\w+",
            r"^\s*(?:function\s+)?[\w:-]+(?:\s*\(\)\s*\{|\s+\(\)\s*)$",
            r"^\s*\w+=(?:\"|\$|')",
            r"\$\(|\"\$\{?\w+",
            r";;$",
            r"; (?:then|do)$",
        ),
        (".sh", ".bash"),
        "#",
        sure=re.compile(r"^\s*(?:fi|done|esac)\b|;;\s*$|^#!.*sh\b|\(\)\s*\{?\s*$"),
    ),
    Language(
        "php",
        "tree_sitter_php",
        _any(
            r"^\s*<\?php",
            r"^\s*\$\w+(?:->\w+|\[.*\])*\s*=",
            r"\$this->",
            r"^\s*(?:public|private|protected|static|final|abstract)?\s*function\s+&?\w+\(.*\$",
            r"^\s*(?:use|namespace)\s+[\w\\]+;$",
        ),
        (".php",),
        entry="language_php",
    ),
)
_PATH = re.compile(r"(?:path|name|file|src)=[\"']?([^\"'>\s]+)|<\w+ ([^\s<>=]+)>")
_INTERPRETER = re.compile(r"<\?php|#!.*?\b(python|node|deno|ruby|bash|zsh|ksh|dash|sh)\b")
_EXTENSIONS = {"php": ".php", "python": ".py", "node": ".js", "deno": ".ts", "ruby": ".rb"}
_EXTENSIONS |= dict.fromkeys(("bash", "zsh", "ksh", "dash", "sh"), ".sh")
# How lines of code end; text in which few lines do is not looked at closer.
_ENDS = re.compile(r"(?:[{}()\[\];:,>\\]|\b(?:then|do|fi|done|end|esac|else))\s*$")
_LEAST_ENDS = 0.05
_LEAST_TOLD = 0.03
_LOOKED_AT = 160
# To know a language by its grammar so many rows are parsed at first, and then so many.
_PARSED = (400, 4_000)
# A further guess must tell this share of the best.
_RIVAL = 0.5
# A patch of source is no source.
_PATCH = re.compile(r"diff --git |@@ -\d|@@@ -\d|--- \S+\t|From [0-9a-f]{40} ")
# Comments are told apart in so many lines.
_MOST_LINES = 20_000
# A sample that the grammar cannot read over this share of its bytes is in another language.
_BROKEN = 0.25
# One that is broken so far is not read on.
_HOPELESS = 0.55


@dataclass(frozen=True, slots=True)
class Guess:
    """A language, and the share of the sample's lines that tell it."""

    language: Language
    share: float


def guesses(lines: Sequence[str], head: str = "") -> list[Guess]:
    """Rank the languages by their telling lines, most first; a file name in the wrapper counts most."""
    if any(map(_PATCH.match, lines[:_LOOKED_AT])):
        return []
    said = _without_comments(lines)
    step = max(1, len(said) // _LOOKED_AT)
    sample = [line[:160] for line in said[::step] if line.strip() and len(line) < 400]
    ends = sum(_ENDS.search(line) is not None for line in sample)
    if not sample or ends < _LEAST_ENDS * len(sample):
        return []
    named = _extension(head) or _opening(lines[0])
    found = []
    for language in LANGUAGES:
        if language.sure and not any(map(language.sure.search, sample)):
            continue
        hits = sum(language.telling.search(line) is not None for line in sample)
        bonus = 1.0 if named in language.extensions else 0.0
        found.append(Guess(language, min(1.0, hits / len(sample) + bonus)))
    # A dialect matches all that its base does: it must match more to be preferred.
    order = {guess.language.name: i for i, guess in enumerate(found)}
    return sorted(found, key=lambda guess: (-guess.share, order[guess.language.name]))


def _without_comments(lines: Sequence[str]) -> Sequence[str]:
    """Leave out what well-commented source is full of: block comments and lines that only comment.

    ``#`` also begins a heading, so it counts as a comment only below a line that names an interpreter.
    """
    hashes = any(line.startswith("#!") for line in lines[:1])
    kept: list[str] = []
    inside = ""
    for line in lines[:_MOST_LINES]:
        start = line[:160].lstrip()
        if inside:
            inside = "" if inside in line else inside
        elif start.startswith("/*"):
            inside = "" if "*/" in start[2:] else "*/"
        elif start.startswith('"""'):
            inside = "" if '"""' in line.lstrip()[3:] else '"""'
        elif not (start.startswith("//") or (hashes and start.startswith("#"))):
            kept.append(line)
    return lines if inside else kept


def _opening(line: str) -> str:
    """Give the extension of a script whose first line names its interpreter."""
    found = _INTERPRETER.match(line)
    return _EXTENSIONS.get(found[1] or "php", "") if found else ""


def _extension(head: str) -> str:
    found = _PATH.search(head)
    path = (found[1] or found[2]) if found else ""
    return "." + path.rsplit(".", 1)[1].lower() if "." in path else ""


@cache
def _parser(language: Language) -> "Parser | None":
    try:
        from tree_sitter import Language as Grammar
        from tree_sitter import Parser

        return Parser(Grammar(getattr(import_module(language.module), language.entry)()))
    except (ImportError, AttributeError, ValueError):
        return None


def parse(language: Language, lines: Sequence[str]) -> "Tree | None":
    """Give the syntax tree of lines joined by newlines, so that rows are indices; None without a grammar."""
    parser = _parser(language)
    if parser is None:
        return None
    return parser.parse("\n".join(lines).encode("utf-8", "replace"))


def recognised(lines: Sequence[str], head: str = "") -> "tuple[Language, Tree] | None":
    """Give the language whose grammar reads ``lines``, and the tree of no more than their first thousands."""
    ranked = guesses(lines, head)[:3]
    for guess in ranked:
        if guess.share < max(_LEAST_TOLD, _RIVAL * ranked[0].share):
            break
        for rows in _PARSED:
            tree = parse(guess.language, lines[:rows])
            share = broken(tree) if tree is not None else 1.0
            if tree is not None and share <= _BROKEN:
                return guess.language, tree
            if share > _HOPELESS or len(lines) <= rows:
                break
    return None


def read(lines: Sequence[str], head: str = "") -> "tuple[Language, Tree] | None":
    """Give the language and the tree of all ``lines``; None for text that no grammar reads."""
    found = recognised(lines, head)
    if found is None or len(lines) <= _PARSED[0]:
        return found
    tree = parse(found[0], lines)
    return (found[0], tree) if tree is not None and broken(tree) <= _BROKEN else None


def broken(tree: "Tree") -> float:
    """Give the share of bytes that the grammar could not read.

    A block that is cut off makes everything an error: what is well formed inside of one still counts as read.
    """
    errors, seen = 0, 0
    nodes = [tree.root_node]
    while nodes and seen < 20_000:
        node = nodes.pop()
        seen += 1
        if node.is_error:
            structured = [child for child in node.children if child.is_named and _is_read(child)]
            errors += node.end_byte - node.start_byte
            errors -= sum(child.end_byte - child.start_byte for child in structured)
            nodes.extend(structured)
        elif node.has_error:
            nodes.extend(node.children)
    return errors / max(1, tree.root_node.end_byte)


def _is_read(node: "Node") -> bool:
    return node.child_count > 1 or node.type.endswith("comment")
