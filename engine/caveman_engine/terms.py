"""The one tokeniser of the house: text in, searchable terms out. Owns what a word is; knows no scores.

Writing and reading use the same rules: NFKC, accents folded, then identifiers split into parts *plus* the
joined form, version numbers whole, text without spaces between words (Chinese, Japanese, Korean, Thai, ...)
as characters and overlapping pairs, and Porter stems beside exact forms. A query is data: no character is
syntax.

On the start-up path of ``caveman mem recall``, so it imports nothing but the stemmer; ``unicodedata`` only
when the text is not ASCII.
"""

from caveman_engine import porter

# Words that say nothing about what is looked for. Short on purpose: a word missing here costs a little
# precision, a word too many costs an answer.
# fmt: off
STOP_WORDS = frozenset((
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "before",
    "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
    "having", "he", "her", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "me", "my", "no", "nor", "not", "of", "on", "or", "our", "ours", "she", "should", "so", "some",
    "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this", "those",
    "to", "too", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours", "dont",
))
# fmt: on

# Letters that have no decomposition but that people type without the stroke.
_STROKES = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ł": "l",
        "Ł": "L",
        "ħ": "h",
        "ı": "i",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
    },
)
_ACCENTS = dict.fromkeys(range(0x300, 0x370))
_APOSTROPHES = {0x2019: "'", 0x2018: "'", 0x02BC: "'", 0x2010: "-", 0x2011: "-"}
# Unspaced scripts, by first and last code point: Thai to Lao, Myanmar, Hangul jamo, Khmer, kana to Hangul
# syllables, compatibility ideographs, and the supplementary ideographic planes.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3040, 0x31FF),
    (0x3400, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
# Contractions: what follows the apostrophe is no word of its own.
_CONTRACTED = frozenset(("t", "re", "ve", "ll", "d", "m"))
_INNER = "'._-/\\"
_CACHED = 50_000
_LONGEST = 64  # characters of a term: beyond that it is a blob, and its beginning finds it as well

_exact: dict[str, tuple[str, ...]] = {}
_indexed: dict[str, tuple[str, ...]] = {}
_stems: dict[str, str] = {}


def terms(text: str) -> list[str]:
    """Give the exact terms of a text in order, each as often as it occurs, without white space in them."""
    out: list[str] = []
    for chunk in _plain(text).split():
        out += _exact.get(chunk) or _kept(_exact, chunk, _chunk_terms(chunk, pairs_only=False))
    return out


def index_terms(text: str) -> list[str]:
    """Give what an index keeps of a text: each exact term, and ``~stem`` beside it where the stem differs."""
    out: list[str] = []
    for chunk in _plain(text).split():
        out += _indexed.get(chunk) or _kept(_indexed, chunk, _with_stems(chunk))
    return out


def _with_stems(chunk: str) -> list[str]:
    out: list[str] = []
    for term in _chunk_terms(chunk, pairs_only=False):
        out.append(term)
        root = stem(term)
        if root != term:
            out.append("~" + root)
    return out


def _kept(cache: dict[str, tuple[str, ...]], chunk: str, found: list[str]) -> tuple[str, ...]:
    """Remember the terms of a chunk: texts repeat their words."""
    made = tuple(found)
    if len(cache) >= _CACHED:
        cache.clear()
    if len(chunk) <= _LONGEST:
        cache[chunk] = made
    return made


def stem(term: str) -> str:
    """Give the Porter stem of an English-looking term; any other term is its own stem."""
    known = _stems.get(term)
    if known is None:
        known = porter.stem(term) if term.isascii() and term.isalpha() and len(term) < 40 else term
        if len(_stems) >= _CACHED:
            _stems.clear()
        _stems[term] = known
    return known


def query_terms(text: str) -> list[str]:
    """Give the terms to look for: each once, in order, without stop words unless nothing else is there.

    Runs of an unspaced script count as pairs here: single characters are indexed for one-character queries.
    """
    found: dict[str, None] = {}
    for chunk in _plain(text).split():
        found.update(dict.fromkeys(_chunk_terms(chunk, pairs_only=True)))
    telling = [term for term in found if term not in STOP_WORDS]
    return telling or list(found)


def _plain(text: str) -> str:
    """Fold compatibility forms and accents, keeping case: it marks where an identifier's parts begin."""
    if text.isascii():
        return text
    from unicodedata import normalize

    text = normalize("NFKD", text.translate(_APOSTROPHES)).translate(_ACCENTS)
    return normalize("NFC", text).translate(_STROKES).translate(_APOSTROPHES)


def _chunk_terms(chunk: str, *, pairs_only: bool) -> list[str]:
    """Give the terms of a piece of text without white space."""
    if chunk.isascii():
        chunk = chunk.strip("""'".,;:!?()[]{}<>`*_-/\\""")
        if chunk.isalpha() and (chunk[1:].islower() or chunk.isupper()):
            return [chunk[:_LONGEST].lower()]
        if chunk.isdigit():
            return [chunk[:_LONGEST]]
    out: list[str] = []
    for run, unspaced in _runs(chunk):
        if not unspaced:
            out += [term[:_LONGEST] for term in _path_terms(run)]
            continue
        folded = run.casefold()
        if not pairs_only or len(folded) == 1:
            out += folded
        out += [folded[i : i + 2] for i in range(len(folded) - 1)]
    return out


def _is_unspaced(char: str) -> bool:
    code = ord(char)
    return code >= 0x0E00 and any(first <= code <= last for first, last in _UNSPACED)


def _runs(chunk: str) -> list[tuple[str, bool]]:
    """Cut at everything that is part of no word, and between spaced and unspaced scripts."""
    out: list[tuple[str, bool]] = []
    run, kind = "", False
    for char in chunk:
        # XID_Continue: letters, digits and the marks that Indic and Thai words need.
        is_word = char.isalnum() or (not char.isascii() and ("a" + char).isidentifier())
        unspaced = is_word and _is_unspaced(char)
        if run and (unspaced != kind or not (is_word or char in _INNER)):
            out.append((run, kind))
            run = ""
        if is_word or (run and not kind and char in _INNER):
            run += char
            kind = unspaced
    if run:
        out.append((run, kind))
    return out


def _path_terms(run: str) -> list[str]:
    """Give the parts of a path, then the path as a whole."""
    steps = [step for step in run.replace("\\", "/").split("/") if step.strip(_INNER)]
    out: list[str] = []
    for step in steps:
        out += _dotted_terms(step.strip(_INNER))
    if len(steps) > 1:
        out.append(_whole("/".join(steps)))
    return out


def _dotted_terms(step: str) -> list[str]:
    """Keep a version number or an address whole; give a dotted name's parts, then the name."""
    if "." not in step:
        return _name_terms(step)
    version = step[1:] if step[0] in "vV" else step
    if version.replace(".", "").isdigit():
        return [version]
    parts = [part for part in step.split(".") if part.strip(_INNER)]
    out: list[str] = []
    for part in parts:
        out += _name_terms(part.strip(_INNER))
    return [*out, _whole(".".join(parts))] if len(parts) > 1 else out


def _whole(name: str) -> str:
    return name.strip(_INNER).replace("'", "").casefold()


def _name_terms(name: str) -> list[str]:
    """Give the parts of an identifier or hyphenated word, then all of them as one."""
    if "'" in name:
        name = _without_apostrophes(name)
    parts: list[str] = []
    for word in name.replace("'", "-").replace("_", "-").split("-"):
        if word:
            parts += [word] if word.islower() and word.isalpha() else _humps(word)
    folded = [part.casefold() for part in parts]
    return [*folded, "".join(folded)] if len(folded) > 1 else folded


def _without_apostrophes(name: str) -> str:
    """Take off a possessive, close a contraction, and leave other apostrophes (``d'équipe``) as joints."""
    pieces = [piece for piece in name.split("'") if piece]
    if len(pieces) > 1 and pieces[-1] in ("s", "S"):
        pieces.pop()
    elif len(pieces) > 1 and pieces[-1].lower() in _CONTRACTED:
        pieces[-2:] = [pieces[-2] + pieces[-1]]
    return "'".join(pieces)


def _humps(word: str) -> list[str]:
    """Cut at the case and digit boundaries: ``readTimeoutMs``, ``HTTPServer``, ``python3``, ``300MB``.

    A word in which letters and numbers alternate is a key or a hash, and a single letter before a number
    (``w1``) belongs to it: both stay whole.
    """
    cuts, numbers = [0], 0
    for i in range(1, len(word)):
        before, here = word[i - 1], word[i]
        rises = here.isupper() and before.islower()
        # The last capital of a run begins the next part, unless a plural s follows: HTTPServer, but URLs.
        falls = here.isupper() and before.isupper() and word[i + 1 : i + 3].islower() and len(word) > i + 2
        number = before.isdigit() != here.isdigit() and not (i == 1 and here.isdigit())
        if rises or falls or number:
            cuts.append(i)
            numbers += number
    if numbers > 2:
        return [word]
    return [word[a:b] for a, b in zip(cuts, [*cuts[1:], len(word)], strict=True)]
