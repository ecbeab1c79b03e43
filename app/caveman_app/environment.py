"""What `env` and `printenv` print, without the values that look like credentials. Owns the masking; stores nothing.

Knows names and shapes of secrets from the engine's facts. The values stay in the original.
"""

import re
from collections.abc import Sequence

from caveman_engine import facts

_VARIABLE = re.compile(rb"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_MASK = b"***"


def is_listing(argv: Sequence[str]) -> bool:
    """Tell a command that prints the whole environment, not one variable and not another program's output."""
    name, *rest = argv
    if name.rpartition("/")[2] not in ("env", "printenv"):
        return False
    unset = {i + 1 for i, word in enumerate(rest) if word in ("-u", "--unset")}
    return all(word.startswith("-") or "=" in word or i in unset for i, word in enumerate(rest))


def masked(data: bytes) -> tuple[bytes, int]:
    """Give the listing with the values of secrets masked, whole ones over several lines, and how many they were."""
    shown: list[bytes] = []
    count = 0
    hiding = False
    for line in data.splitlines(keepends=True):
        found = _VARIABLE.match(line)
        if found is None:
            shown += [] if hiding else [line]
            continue
        name, value = found[1].decode(), found[2].decode("utf-8", "replace").strip()
        hiding = bool(value) and facts.is_secret(name, [value])
        count += hiding
        shown.append(found[1] + b"=" + _MASK + b"\n" if hiding else line)
    return b"".join(shown), count
