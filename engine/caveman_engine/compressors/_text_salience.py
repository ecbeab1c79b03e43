"""How much a piece of text is worth to a reader who has not said what for. Owns the cues and their weights.

Edmundson's surface features (1969): place, headings, cue words; and what a later question tends to be about:
rules, defaults, names of settings, numbers, definitions. No language is assumed; cue words of several are known.
"""

import re
from collections.abc import Sequence

from caveman_engine.compressors import _text_blocks as blocks
from caveman_engine.compressors._text_blocks import Piece

_RULE = re.compile(
    r"\b(?:MUST|SHALL|SHOULD|REQUIRED|must|shall|required?|never|always|cannot|default|deprecated|obsoletes?|"
    r"replaced|dropp?(?:ed|s)?|removed?|breaking|warning|caution|important|guarantees?|fails?|"
    r"limit|minimum|maximum|at (?:most|least))\b|"
    r"必须|必須|不得|默认|默認|デフォルト|注意|警告|يجب|ملاحظة|فقط|\b(?:Achtung|Standard|défaut|obligatoire|"
    r"defecto|debe|обязательно|по умолчанию)\b"
)
_NUMBER = re.compile(
    r"0x[\dA-Fa-f]+|(?<![\w.])\d+(?:\.\d+)*\s*%|(?<![\w.])\d+(?:\.\d+)+\b|[=:]\s*\"?\d|\b\d{2,}\b"
)
_NAME = re.compile(
    r"\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|`[^`\n]+`|\"[^\"\n]{2,40}\"|(?<!\S)[$~]?/\w[\w.-]*/|(?<!\S)\$[A-Z]|\w\([1-9]\w?\)"
)
# What is looked up and never remembered.
_LINK, _MAIL = re.compile(r"\b(?:https?|ftp)://"), re.compile(r"[\w.]@[\w-]+\.\w")
_NAMED = re.compile(
    r"`([^`\n]{2,40})`|\b([A-Z][A-Z\d]*_[A-Z\d_]+)\b|(?<!\S)(--[a-z][\w-]+)|(?<![\w.-])([\w-]+(?:\.\w+)+(?:/[\w.-]+)+)"
)
# A word with a capital inside is a name, in a text of any script; so is a link that is explained.
_INNER_CAPITAL = re.compile(r"\b(?:[A-Z]{2,}[a-z]+|[a-z]+[A-Z])\w*|\]\([^)\s]{0,400}\)\W{1,3}[-–—:]\W*\w")
_BADGE = re.compile(r"\s*\[?!\[")
_SYMBOL = re.compile(r"(?<=[a-z,(] )[A-Z]{3,}\d*\b|\b[Ii]f\b.*\b(?:is|are|was)\b", re.DOTALL)
_DEFINES = re.compile(
    r"\b(?:is|are) (?:a|an|the|used|set)\b|\b(?:means|refers to|specifies|describes|defines?)\b|とは|是"
)
_BYLINE = re.compile(
    r"\b(?:author|by|version|date|licen[cs]e|copyright|maintain\w+|translat\w+|status|subject)\b",
    re.IGNORECASE,
)
_BASE = {
    blocks.HEADING: 2.0,
    blocks.TERM: 2.2,
    blocks.HEAD: 4.0,
    blocks.PROSE: 0.5,
    blocks.ITEM: 0.6,
    blocks.TABLE: 0.4,
    blocks.FENCE: 0.8,
    blocks.CODE: 0.5,
    blocks.FURNITURE: 0.0,
}
# Long pieces must be worth their length, but not in proportion: a whole thought beats three scraps.
_LENGTH = 0.6
_SAYING = frozenset((blocks.PROSE, blocks.ITEM, blocks.CODE, blocks.FENCE))
# A name that so many pieces hold is what the text is about; of the first of them the shortest is worth more.
_OFTEN, _SEARCHED, _CARRIED = 3, 8, 1.5
# What a term is said to be, first of all.
_EXPLAINS = 0.5
# A heading that stood before ("Parameters") says little by itself.
_AGAIN = 0.3
# What stands in the first part of a text is asked about more.
_EARLY, _FIRST = 1.5, 0.3


def worth(pieces: Sequence[Piece]) -> list[float]:
    """Give each piece's worth for its length; 0 for page furniture and what stood before."""
    seen: set[str] = set()
    found: list[float] = []
    opening = 0
    for i, (piece, names) in enumerate(zip(pieces, _carried(pieces), strict=True)):
        key = " ".join(piece.text.split())
        if piece.kind == blocks.HEADING:
            opening = 0
        elif piece.kind == blocks.FURNITURE or key in seen:
            found.append(0.0)
            continue
        score = _BASE[piece.kind] * (_AGAIN if key in seen else 1.0) - 0.3 * max(0, piece.level - 2)
        seen.add(key)
        if piece.kind in _SAYING and not _BADGE.match(piece.text):
            score += _place(piece, opening, i) + cues(piece.text)
            opening += 1
        score += min(_CARRIED, 0.5 * _CARRIED * names)
        score += _EARLY * max(0.0, 1 - i / (_FIRST * len(pieces)))
        found.append(score / (len(piece.text) + 40) ** _LENGTH)
    return found


def _carried(pieces: Sequence[Piece]) -> list[int]:
    """Count for each piece the names that the text comes back to and that it is the shortest to hold."""
    holders: dict[str, list[int]] = {}
    for i, piece in enumerate(pieces):
        for name in dict.fromkeys(part for found in _NAMED.findall(piece.text) for part in found if part):
            holders.setdefault(name, []).append(i)
    carried = [0] * len(pieces)
    for held in holders.values():
        if len(held) >= _OFTEN:
            carried[min(held[:_SEARCHED], key=lambda i: len(pieces[i].text))] += 1
    return carried


def _place(piece: Piece, opening: int, position: int) -> float:
    """Weigh a piece by where it stands: in the text, in its section, in its block."""
    score = 1.2 if opening == 0 else 0.6 if opening == 1 else 0.0
    score += 0.5 if piece.place == 0 else 0.0
    score += _EXPLAINS if piece.place == 0 and piece.owner >= 0 else 0.0
    return score + (1.0 if position < 12 else 0.0)


def cues(text: str) -> float:
    """Weigh what a piece talks about."""
    score = 1.0 if _RULE.search(text) else 0.0
    score += 0.6 if _NUMBER.search(text) else 0.0
    score += 0.6 if _NAME.search(text) else 0.0
    score += 0.8 if _LINK.search(text) else 0.0
    score += 1.6 if _MAIL.search(text) else 0.0
    score += 1.0 if _INNER_CAPITAL.search(text) else 0.0
    score += 0.4 if _SYMBOL.search(text) else 0.0
    score += 0.4 if _DEFINES.search(text) else 0.0
    return score + (0.4 if _BYLINE.search(text) else 0.0)
