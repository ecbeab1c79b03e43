"""Line templates: which lines are instances of one form, and which instances stand out.

Owns masking and mining. Lines are masked by token class (numbers, hexadecimal, identifiers that hold a digit) and
grouped by the masked form; forms that differ in few words are merged as in Drain (He et al. 2017: fixed depth by
word count and first word, then token similarity). Knows no content type and no log level. Everything is linear in
the text: the masks are a handful of passes of `bytes` methods, lines are looked at one by one only as dictionary
keys.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_PUNCTUATION = bytes.maketrans(b",;()[]{}\"'<>|", b" " * 13)
_CHUNK = 8000  # lines masked and cut at a time: bounds the memory that copies take
_END, _END_WORD = b" \x01 ", "\x01"
# After digits have become "0": hexadecimal that holds a digit shrinks to "0" from inside out.
_HEX_INNER = re.compile(rb"0[a-f]+(?=0)")
_HEX_TAIL = re.compile(rb"0[a-f]+\b")
_HEX_HEAD = re.compile(rb"\b[a-f]+0")
# The careful masks, only for forms that the quick ones have left: upper-case hexadecimal, chains of numbers
# (dates, times, addresses, versions), identifiers that hold a digit, lists of numbers.
_HEX_UPPER = re.compile(r"\b(?:0x)?(?=[A-F]*0)[0A-Fa-f]{3,}\b")
_CHAIN = re.compile(r"\b0(?:[-:.,/_T ]?0)+Z?\b")
_WORD_WITH_DIGIT = re.compile(r"\b(?=[A-Za-z_-]*0)[\w-]{6,}\b")

# A leading "file:line:column:": messages are alike wherever they point.
_PLACE = re.compile(r"\S+?[:(]0(?:[:,]0)?[:)]+(?= )")

_LONG = 2000  # characters of a form up to which the careful masks are worth their time
_SIMILAR = 0.6  # share of equal tokens from which two forms are one template
_BUCKET = 24  # templates compared with before a form founds its own: keeps mining linear
_FEW = 24  # a column with at most so many usual values is a category


@dataclass(slots=True)
class Template:
    """Lines of one form: indexes in order, and the form's words, None where instances differ in a word."""

    words: list[str | None]
    members: list[int] = field(default_factory=list)


def quick_forms(lines: Sequence[str]) -> list[bytes]:
    """Give each line with its numbers and hexadecimal masked as "0", in C-speed passes over thousands of lines."""
    forms: list[bytes] = []
    for start in range(0, len(lines), _CHUNK):
        text = "\n".join(lines[start : start + _CHUNK]).encode("utf-8", "surrogatepass")
        forms += quick_mask(text).split(b"\n")
    return forms


def quick_mask(text: bytes) -> bytes:
    """Mask numbers and hexadecimal of any number of lines. Linear."""
    text = _collapse(text.translate(_DIGITS))
    text = _HEX_INNER.sub(b"", text)
    text = _HEX_HEAD.sub(b"0", _HEX_TAIL.sub(b"0", text))
    return _collapse(text)


def _collapse(text: bytes) -> bytes:
    for width in (16, 4, 2):
        text = text.replace(b"0" * width, b"0")
    while b"00" in text:
        text = text.replace(b"00", b"0")
    return text


def mask(line: str) -> str:
    """Give the careful form of one line: also upper-case hexadecimal, dates, addresses, names with digits."""
    return careful(quick_mask(line.encode("utf-8", "surrogatepass")))


def careful(form: bytes) -> str:
    """Mask what the quick pass has left in one form."""
    text = form.decode("utf-8", "surrogatepass")
    if "0" not in text or len(text) > _LONG:
        return text
    text = _PLACE.sub("@", text, count=1) if _PLACE.match(text) else text
    text = _HEX_UPPER.sub("0", text)
    text = _WORD_WITH_DIGIT.sub("0", text)
    return _CHAIN.sub("0", text)


def group(lines: Sequence[str]) -> dict[str, list[int]]:
    """Group lines by their careful form, in order of first appearance."""
    quick: dict[bytes, list[int]] = {}
    for index, form in enumerate(quick_forms(lines)):
        if form in quick:
            quick[form].append(index)
        else:
            quick[form] = [index]
    groups: dict[str, list[int]] = {}
    torn = set()
    for form, members in quick.items():
        key = careful(form)
        if key in groups:
            groups[key] += members
            torn.add(key)
        else:
            groups[key] = members
    for key in torn:
        groups[key].sort()
    return groups


def words(form: str) -> list[str]:
    """Split a form or line where `columns` does: at white space and brackets, quotes, commas."""
    return _split(form.encode("utf-8", "surrogatepass"))


def _split(text: bytes) -> list[str]:
    return text.translate(_PUNCTUATION).decode("utf-8", "surrogatepass").split()


def mine(groups: Mapping[str, list[int]], kind: Callable[[str], object] = lambda _: None) -> list[Template]:
    """Merge forms that differ in few words into templates, in order of first appearance.

    Forms of different ``kind`` never merge: a failed step is no instance of the steps that went well.
    """
    buckets: dict[tuple[int, str, object], list[Template]] = {}
    found = []
    for form, members in groups.items():
        tokens = words(form)
        bucket = buckets.setdefault((len(tokens), tokens[0] if tokens else "", kind(form)), [])
        template = _nearest(bucket, tokens)
        if template is None:
            template = Template(list(tokens))
            found.append(template)
            if len(bucket) < _BUCKET:
                bucket.append(template)
        else:
            template.words = [a if a == b else None for a, b in zip(template.words, tokens, strict=True)]
        template.members += members
    for template in found:
        template.members.sort()
    return sorted(found, key=lambda template: template.members[0])


def _nearest(bucket: Iterable[Template], tokens: list[str]) -> Template | None:
    """Find the most similar template; wildcards count as half a match."""
    best, best_score = None, _SIMILAR * len(tokens)
    for template in bucket:
        score = 0.0
        for ours, theirs in zip(template.words, tokens, strict=True):
            if ours == theirs:
                score += 1
            elif ours is None:
                score += 0.5
        if score > best_score:
            best, best_score = template, score
    return best


def columns(lines: Sequence[str], only: Collection[int] | None = None) -> dict[int, list[str]]:
    """Give the words of equally long lines by position (``only`` some); {} when the lines are not equally long."""
    found: dict[int, list[str]] = {}
    width = 0
    same: dict[str, str] = {}  # one object a value: a column of a large log has few
    for start in range(0, len(lines), _CHUNK):
        chunk = lines[start : start + _CHUNK]
        text = "\n".join(chunk).encode("utf-8", "surrogatepass").translate(_PUNCTUATION)
        flat = (text.replace(b"\n", _END) + _END).decode("utf-8", "surrogatepass").split()
        width = width or len(flat) // len(chunk)
        # Each line is as long as the others only if its end stands where theirs do.
        if len(flat) != width * len(chunk) or flat[width - 1 :: width].count(_END_WORD) != len(chunk):
            return {}
        for position in range(width - 1) if only is None else only:
            words = flat[position::width]
            found.setdefault(position, []).extend(
                words if only is None else map(same.setdefault, words, words)
            )
    return found


def is_category(values: Sequence[str]) -> bool:
    """Tell, by a sample, a column whose values may be few."""
    sample = values[:: max(1, len(values) // 400)]
    return len(set(sample)) <= max(_FEW, len(sample) // 8)


def usual_and_rare(values: Sequence[str]) -> tuple[Counter[str], dict[str, int]]:
    """Split a column's values into counts of the usual ones and of the rare ones.

    A value is rare when it is seen in at most 1.5 % of the lines (three at least) while at most 24 usual ones
    cover nine tenths: one 503 among 2,000 times 200, "skipped" among "succeeded". No rare ones otherwise.
    """
    counts = Counter(values)
    limit = max(3, len(values) * 3 // 200)
    usual = Counter({value: times for value, times in counts.items() if times > limit})
    if not usual or len(usual) > _FEW or sum(usual.values()) < 0.9 * len(values):
        return counts, {}
    return usual, {value: times for value, times in counts.items() if value not in usual}


def bursts(members: Sequence[int], total: int, windows: int = 40) -> list[int]:
    """Give the first member of each stretch in which a template comes far more often than before or after."""
    if len(members) < 40 or total < 400:
        return []
    counts = [0] * windows
    firsts: dict[int, int] = {}
    for member in members:
        window = member * windows // total
        counts[window] += 1
        firsts.setdefault(window, member)
    usual = sorted(counts)[windows // 2]
    high = [count > 4 * usual + 20 for count in counts]
    return [firsts[window] for window in range(1, windows) if high[window] and not high[window - 1]]
