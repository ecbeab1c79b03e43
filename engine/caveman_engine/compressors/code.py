"""[code] an outline in which bodies are folded, or the parts of a file that a question is about.

A fold is one comment in the file's own language, so that an outline still reads, and in Python still parses, as
code: ``...  # [caveman: L120-L187]``. It quotes what a caller meets of a body: errors, exits, settings. Input
that holds such a comment itself passes.
"""

import re
from collections.abc import Iterator, Sequence

from caveman_engine import facts, markers
from caveman_engine.compressors import _code_chunks as chunks
from caveman_engine.compressors import _code_languages as languages
from caveman_engine.compressors._code_outline import Fold, Outline
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_FORGED = re.compile(r"\[caveman: L\d")
# Longer lines on average are no one's source.
_MINIFIED = 300
# What a caller of a function meets although it stands in the body.
_SAID = re.compile(
    r"^\s*(?:async\s+)?(?:def|function|fn|class|func)\s+\w+"
    r"|\b(?:raise|throw|panic!?|bail!|die|abort|fatal|reject|fail|usage|unreachable!|todo!)\b.*[\"'`]"
    r"|(?:[Ee]rr(?:or)?|Exception|[Ww]arn)\w*!?\(.*[\"'`].{6,}"
    r"|\.(?:context|with_context|expect)\(.*\"|(?:log(?:ger)?|console)\.(?:error|warn\w*|critical|fatal|exception)\("
    r"|>&2|(?:stderr\b|eprintln!).*\"[^\"]*[A-Za-z]{3}"
    r"|\bexit\s*\(|^\s*exit \d|process::exit"
    r"|getenv|environ\b|process\.env|env::var|ENV\[|\$\{?[A-Z][A-Z\d]*_[A-Z\d_]+|\bDeprecat|@deprecated"
)
# Bounds, addresses, notes to the reader, texts that a user sees: what is asked of a body without its name.
_ASIDE = re.compile(
    r"(?:timeout|retr(?:y|ies)|limit|\bmax|\bmin|default|interval|delay|threshold|port|buf\w*size)\w*\b[^=:]{0,20}[=:(<>]\s*[\"'\w.]*\d"
    r"|https?://|\b(?:TODO|FIXME|HACK|XXX|NOTE)\b"
    r"|\b(?:print|printf|println|echo|puts|log\w*|console)\b.*[\"'`][^\"'`]*\s[^\"'`]*\s",
    re.IGNORECASE,
)
_CALL = re.compile(r"(?:[Ee]rr|[Ww]arn|raise|throw|printf|panic|fail)\w*\b.*,\s*$")
_SECRET = re.compile(r"(?:passw|secret|token|credential|api_?key)\w*[\"']?\s*[:=]\s*[\"']", re.IGNORECASE)
# A message on a row of its own, in a call that began above it.
_MESSAGE = re.compile(r"^\s*[\w.]*f?[\"'`][^\"'`]*\s[^\"'`]*\s.{8,}[\"'`]")
_CUE = re.compile(
    r"[Dd]eprecat|\b[A-Z][A-Z\d]*_[A-Z\d_]{3,}|@throws|@returns?\b|:raises|\b(?:must|never|default)\b|https?://"
)
_FRAME = re.compile(r"\s+(?:File \".*\", line \d|at \S.*[(:]\d*\S*\)?$)")
_LEAST_TOLD, _OUTPUT = 0.03, 0.15
# What a grammar reads but for this share of it is code, if so many lines tell it.
_CLEAN, _CLEANLY_TOLD = 0.02, 0.05
# So many lines are looked at to tell code, and of each so many characters.
_SAMPLE, _READ = 1_000, 300
_LONGEST_QUOTE, _MOST_QUOTES = 200, 12
_WORTH_A_FOLD = 60


def detect(payload: Payload) -> float:
    """Score by telling lines of a language, and whether its grammar reads the text."""
    lines = payload.lines
    sample = lines[:_SAMPLE]
    if len(lines) < 3 or _is_minified(sample) or sum(map(_is_output, sample)) > _OUTPUT * len(sample):
        return 0.0
    if lines[0].lstrip().startswith("<") and not lines[0].lstrip().startswith("<?php"):
        return 0.0
    ranked = languages.guesses(lines, payload.head)
    if not ranked or ranked[0].share < _LEAST_TOLD:
        return 0.0
    found = languages.recognised(lines, payload.head)
    if found is None:
        return 0.1
    share = max(guess.share for guess in ranked if guess.language is found[0])
    fenced = any(line.startswith("```") for line in sample)
    clean = share >= _CLEANLY_TOLD and languages.broken(found[1]) < _CLEAN
    score = 0.9 if share >= 0.15 else 0.8 if clean else 0.6 if share >= 0.08 else 0.4
    return score * (0.4 if fenced else 1.0)


def _is_output(line: str) -> bool:
    """Tell what programs print about code: records and stack frames."""
    return line.startswith('{"') or _FRAME.match(line[:_READ]) is not None


def _is_minified(lines: Sequence[str]) -> bool:
    return sum(map(len, lines)) > _MINIFIED * len(lines)


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the outline; with a question, or a hard bound, the best parts."""
    lines = payload.lines
    if not lines or _is_minified(lines) or _FORGED.search(payload.text) or any(map(markers.is_forged, lines)):
        return
    found = languages.read(lines, payload.head)
    if found is None:
        return
    language, tree = found
    outline = Outline(tree, lines, _CUE)
    if request.query is None:
        yield _written(payload, language, outline.folds, "code-outline")
    if request.query is not None or request.hard:
        folds = chunks.folds(payload, outline, request)
        yield _written(payload, language, folds, "code-parts")


def _written(payload: Payload, language: languages.Language, folds: Sequence[Fold], method: str) -> View:
    """Write the rows that are not folded, and a comment for each fold that is worth one."""
    lines, at, shown = payload.lines, 0, 0
    parts: list[str] = []
    for fold in folds:
        hidden = lines[fold.first : fold.last + 1]
        if fold.first < at or (len(hidden) <= 2 and sum(map(len, hidden)) < _WORTH_A_FOLD):
            continue
        parts += [_ended(payload.shown(row)) for row in range(at, fold.first)]
        shown += fold.first - at
        at = fold.last + 1
        if not fold.silent:
            parts.append(_comment(payload, language, fold))
    parts += [_ended(payload.shown(row)) for row in range(at, len(lines))]
    shown += len(lines) - at
    return View("".join(parts), shown == len(lines), "lines", shown, len(lines), method)


def _comment(payload: Payload, language: languages.Language, fold: Fold) -> str:
    """Give the comment that stands for a fold: its rows, and what a caller meets of them."""
    ranges = [fold.doc, (fold.first, fold.last)] if fold.doc else [(fold.first, fold.last)]
    said = ", ".join(f"L{payload.number(first)}-L{payload.number(last)}" for first, last in ranges)
    quotes = list(dict.fromkeys(_quotes(payload.lines, fold)))
    if quotes:
        said += ": " + " | ".join(quotes[:_MOST_QUOTES])
    place = "...  " if fold.holds and language.name == "python" else ""
    return f"{fold.indent}{place}{language.comment} {markers.SIGIL} {said}]\n"


def _quotes(lines: Sequence[str], fold: Fold) -> Iterator[str]:
    """Give the rows of a body that raise, exit or read a setting; none that looks like a credential."""
    if not fold.holds:
        return
    opened = False
    for row in range(fold.first, fold.last + 1):
        line = lines[row]
        if len(line) > _LONGEST_QUOTE:
            opened = False
            continue
        if _SAID.search(line) or _ASIDE.search(line) or (opened and _MESSAGE.search(line)):
            text = line.strip()
            if not (facts.SECRET_VALUE.search(text) or _SECRET.search(text)):
                yield text
        opened = line.rstrip().endswith("(") or _CALL.search(line) is not None


def _ended(line: str) -> str:
    return line if line.endswith(("\n", "\r")) else line + "\n"


COMPRESSOR = Compressor("code", detect, views)
