"""Where the toolkit keeps its files, and how large a recovery store may grow.

Pure functions of the environment; opens nothing. Must never know what is inside a store.
"""

import os

from caveman_engine.errors import BadSetting

_DEFAULT_MAX_BYTES = 512 * 1024**2
_SUFFIXES = {"K": 1024, "M": 1024**2, "G": 1024**3}


def home() -> str:
    """Give the toolkit's folder: CAVEMAN_HOME, or ~/.caveman. Absolute, ``~`` expanded."""
    return _absolute(os.environ.get("CAVEMAN_HOME") or "~/.caveman")


def ccr_path() -> str:
    """Give the engine's recovery store: CAVEMAN_CCR_DB, or ccr.db in the home."""
    named = os.environ.get("CAVEMAN_CCR_DB")
    return _absolute(named) if named else os.path.join(home(), "ccr.db")


def memory_ccr_path() -> str:
    """Give the recovery store of the memory, which CAVEMAN_CCR_DB does not move."""
    return os.path.join(home(), "mem", "ccr.db")


def ephemeral() -> bool:
    """Tell whether CAVEMAN_EPHEMERAL asks that nothing is written to disk."""
    return os.environ.get("CAVEMAN_EPHEMERAL", "").strip().lower() not in ("", "0", "false", "no")


def max_bytes() -> int:
    """Give each recovery store's budget in bytes: CAVEMAN_CCR_MAX_BYTES, or 512 MiB.

    Raises:
        BadSetting: the value is no positive whole number with an optional K, M or G.
    """
    value = os.environ.get("CAVEMAN_CCR_MAX_BYTES")
    if value is None:
        return _DEFAULT_MAX_BYTES
    text = value.strip().upper()
    unit = _SUFFIXES.get(text[-1:], 1)
    digits = text if unit == 1 else text[:-1].rstrip()
    # int() takes other scripts' digits too, and SQLite's integers end at 2**63.
    size = int(digits) * unit if digits.isascii() and digits.isdigit() and len(digits) < 20 else 0
    if not 0 < size < 2**62:
        raise BadSetting(
            f"CAVEMAN_CCR_MAX_BYTES is {value!r}",
            where="environment",
            hint="give a positive number of bytes, such as 536870912, 512M or 2G",
        )
    return size


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))
