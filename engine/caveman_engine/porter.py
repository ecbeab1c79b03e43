"""English stems. Owns the Porter algorithm; knows no text, no scores, no other language.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the author's two later
departures (``-abli`` became ``-bli``, ``-logi`` was added). Without ``re``: it is on the start-up path.
"""

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
# fmt: off
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
)
# fmt: on


def stem(word: str) -> str:
    """Give the Porter stem of a lower-case ASCII word; one or two letters stay as they are."""
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP_2)
    word = _replace(word, _STEP_3)
    return _tidy(_strip(word))


def _shape(word: str) -> str:
    """Spell a word in the letters c and v: what counts as a consonant and what as a vowel."""
    shape = ""
    for char in word:
        vowel = char in "aeiou" or (char == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(base: str) -> int:
    """Give m of ``[C](VC)^m[V]``."""
    return _shape(base).count("vc")


def _short_end(word: str) -> bool:
    """Tell a consonant-vowel-consonant end whose last letter is none of w, x, y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    ending = "ed" if word.endswith("ed") else "ing" if word.endswith("ing") else ""
    base = word[: len(word) - len(ending)]
    if not ending or "v" not in _shape(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    return base + "e" if _measure(base) == 1 and _short_end(base) else base


def _replace(word: str, endings: dict[str, str]) -> str:
    """Exchange the longest ending of the table when what is before it has a measure above 0."""
    for size in range(min(7, len(word) - 1), 1, -1):
        ending = word[-size:]
        if ending in endings:
            return word[:-size] + endings[ending] if _measure(word[:-size]) > 0 else word
    return word


def _strip(word: str) -> str:
    """Take the longest suffix of step 4 off when what is before it has a measure above 1."""
    for size in range(min(5, len(word) - 1), 1, -1):
        ending = word[-size:]
        if ending in _STEP_4:
            base = word[:-size]
            fits = _measure(base) > 1 and (ending != "ion" or base.endswith(("s", "t")))
            return base if fits else word
    return word


def _tidy(word: str) -> str:
    """Drop a last e and one of a double l where the word is long enough."""
    if word.endswith("e"):
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _short_end(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
