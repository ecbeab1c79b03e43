"""Words of a template's lines by column: rare values among few usual ones, and the largest quantity.

Owns the scores of both. Knows no tool and no question.
"""

import re
from collections.abc import Mapping, Sequence
from math import log2

from caveman_engine import templates
from caveman_engine.compressors.lines.levels import PLAIN, Column, Digest
from caveman_engine.templates import Template

_FEWEST, _COMPARABLE = 5, 12  # instances whose words are kept by column, and from which one can stand out
_SAMPLE = 400  # instances by which columns worth a full look are told
_RARE_KINDS = 16  # more rare values than that in a column are no exceptions
_RARE, _MORE_BITS = 3.5, 3.0  # score of a rare value, and what its rarity may add
_QUANTITY = re.compile(
    r"\(?(\d+(?:[.,]\d+)?)(k|[kKMGT]i?B|B|bytes|ns|us|µs|ms|s|sec|seconds|m|min|%)\b[)\],;]*\Z"
)
_UNITS = {
    "k": 1e3,
    "kB": 1e3,
    "KB": 1e3,
    "KiB": 1024,
    "MB": 1e6,
    "MiB": 2**20,
    "GB": 1e9,
    "GiB": 2**30,
    "TB": 1e12,
    "ns": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "ms": 1e-3,
    "m": 60,
    "min": 60,
}


def score(found: Digest) -> None:
    """Score the first line of each rare value in a column of few values, and the largest quantity of a column."""
    for number, template in enumerate(found.templates):
        members = template.members
        if len(members) < _FEWEST:
            continue
        lines = [found.lines[member] for member in members]
        sample = templates.columns(lines[:: max(1, len(lines) // _SAMPLE)])
        few = [position for position, values in sample.items() if templates.is_category(values)]
        amounts = [position for position in sample if _is_quantity(sample, position)]
        wanted = {*few, *amounts, *(position + 1 for position in amounts if position + 1 in sample)}
        table = templates.columns(lines, sorted(wanted))
        if not table:
            continue
        found.columns[number] = [
            Column(position, _before(template, sample, position), table[position]) for position in few
        ]
        if len(members) >= _COMPARABLE:
            for position in amounts:
                largest = _largest(table[position], table.get(position + 1, ()))
                found.raise_to(members[largest], PLAIN + 1)
            _score_rare_values(found, members, found.columns[number])


def _before(template: Template, sample: Mapping[int, Sequence[str]], position: int) -> str:
    """Give the word before a column, or the one before that where only a sign stands between.

    It names the column only if it stands in all the template's lines: else "".
    """
    for at in (position - 1, position - 2):
        word = sample[at][0] if at >= 0 else ""
        if name := word.strip(":="):
            return name if word in template.words and len(set(sample[at])) == 1 else ""
    return ""


def _score_rare_values(found: Digest, members: Sequence[int], columns: Sequence[Column]) -> None:
    for column in columns:
        _, rare = templates.usual_and_rare(column.values)
        for value, times in rare.items() if len(rare) <= _RARE_KINDS else ():
            bits = min(_MORE_BITS, log2(len(members) / times) / 3)
            found.raise_to(members[column.values.index(value)], _RARE + bits)


def _is_quantity(table: Mapping[int, Sequence[str]], position: int) -> bool:
    """Tell a column of quantities: a number with its unit in it, or in the next column."""
    value = table[position][0]
    following = table.get(position + 1)
    return _QUANTITY.match(value) is not None or (
        following is not None and _QUANTITY.match(value + following[0]) is not None
    )


def _largest(values: Sequence[str], units: Sequence[str]) -> int:
    """Find the largest of a column of quantities."""
    if units and not _QUANTITY.match(values[0]):
        values = [value + unit for value, unit in zip(values, units, strict=True)]
    parsed = [_QUANTITY.match(value) for value in values]
    amounts = [float(p[1].replace(",", ".")) * _UNITS.get(p[2], 1) if p is not None else 0.0 for p in parsed]
    return amounts.index(max(amounts))
