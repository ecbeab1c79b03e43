"""Facts computed over what was left out. Owns their wording; each is true of every value given, or not said.

Shapes: a column is a name and the values of it in the units left out, as the source spells them. Columns that
look like credentials are never enumerated. Pure; no I/O.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

SECRET_NAME = re.compile(
    r"pass(?:word|wd|phrase)?$|pass(?:word|wd|phrase)|secret|token|api[-_ ]?key|private[-_ ]?key|credential|"
    r"auth(?:orization)?$|cookie|session[-_ ]?id|signature|\bpin\b|\bkey$|[-_]key$",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(
    r"gh[pousr]_\w{20,}|github_pat_\w{20,}|\bsk-[\w-]{20,}|AKIA[0-9A-Z]{16}|xox[abprs]-[\w-]{10,}|"
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]{10,}\.[\w-]{10,}\.|://[^/\s:@]+:[^/\s@]+@|\bBearer\s+\S{16,}"
)
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,12})?\Z")
_MOST_KINDS = 6
_LONGEST_VALUE = 32


def columns(table: Mapping[str, Sequence[str]], longest: int = 240) -> str:
    """State what holds for each column, most telling first, within ``longest`` characters; "" for nothing.

    Constants are gathered (``all level=INFO``), few kinds are enumerated with counts that sum to the number of
    values, numbers give a dense run or a range in their own spelling, anything else its number of kinds.
    """
    constants: list[str] = []
    others: list[str] = []
    for name, values in table.items():
        if not values or is_secret(name, values):
            continue
        text = column(name, values)
        if text.startswith("all "):
            constants.append(text.removeprefix("all "))
        elif text:
            others.append(text)
    said = ["all " + " ".join(constants)] if constants else []
    for text in others:
        if len("; ".join([*said, text])) > longest:
            break
        said.append(text)
    joined = "; ".join(said)
    return joined if len(joined) <= longest else ""


def column(name: str, values: Sequence[str]) -> str:
    """State what holds for one column: every form covers all values."""
    kinds = Counter(values)
    if len(kinds) == 1:
        value = values[0]
        return f"all {name}={value}" if len(value) <= _LONGEST_VALUE and "\n" not in value else ""
    if len(kinds) <= _MOST_KINDS and all(len(kind) <= _LONGEST_VALUE and "\n" not in kind for kind in kinds):
        ranked = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        return f"{name}: " + " ".join(f"{kind or '(empty)'}×{times:,}" for kind, times in ranked)
    if all(_NUMBER.match(value) for value in kinds):
        return _numbers(name, values, kinds)
    return f"{name}: {len(kinds):,} distinct"


def _numbers(name: str, values: Sequence[str], kinds: Mapping[str, int]) -> str:
    low, high = min(kinds, key=float), max(kinds, key=float)
    whole = all("." not in kind for kind in kinds)
    if whole and len(kinds) == len(values) == int(high) - int(low) + 1:
        return f"{name} {low}..{high} all present"
    return f"{name} {low}..{high}"


def is_secret(name: str, values: Sequence[str]) -> bool:
    """Tell a column whose values must not be repeated: by its name, or by one value's shape."""
    return SECRET_NAME.search(name) is not None or any(SECRET_VALUE.search(value) for value in set(values))
