"""Every error of the memory, sorted by whose fault it is. Owns codes and exit statuses; prints nothing.

CavemanError
└── MemoryFault
    ├── BlankMemory          nothing to remember, or nothing to look for      exit 2
    ├── BadLabel             a scope, tag, kind, ... that is no short line    exit 2
    ├── BudgetTooSmall       no reply fits                                    exit 2
    ├── UnknownMemory        no fact has that id                              exit 1
    ├── NotCurrent           the fact was superseded or has expired           exit 1
    ├── AlreadyCurrent       the new text is another current fact             exit 1
    ├── InexactForget        a text names no fact exactly                     exit 1
    ├── BrokenHistory        a chain of versions that does not hold together  exit 1
    ├── MemoryTooLarge       more bytes than a fact may have                  exit 65
    ├── NotText              bytes or code points that are no Unicode text    exit 65
    ├── BadImport            a file in which nothing could be read            exit 65
    ├── OwnOutput            the tool's own reply, handed back to it          exit 65
    └── SecretFound          a secret, by its rule and place                  exit 78
"""

from caveman_engine.errors import CavemanError


class MemoryFault(CavemanError):
    """Base of the memory's own errors."""

    code = "cave_memory_failed"


class BlankMemory(MemoryFault):
    """Nothing to remember, or nothing to look for."""

    code = "cave_memory_blank"
    exit_status = 2


class BadLabel(MemoryFault):
    """What stands beside a text is no short line."""

    code = "cave_bad_label"
    exit_status = 2


class BudgetTooSmall(MemoryFault):
    """No reply fits in the budget."""

    code = "cave_budget_too_small"
    exit_status = 2


class UnknownMemory(MemoryFault):
    """No fact has that id."""

    code = "cave_unknown_memory"


class NotCurrent(MemoryFault):
    """The fact was superseded or has expired."""

    code = "cave_memory_not_current"


class AlreadyCurrent(MemoryFault):
    """The new text is another current fact of the scope already."""

    code = "cave_memory_already_current"


class InexactForget(MemoryFault):
    """A text names no fact exactly; nothing was removed."""

    code = "cave_forget_inexact"


class BrokenHistory(MemoryFault):
    """A chain of versions that does not hold together."""

    code = "cave_broken_history"


class MemoryTooLarge(MemoryFault):
    """More bytes than a fact may have; nothing is truncated."""

    code = "cave_memory_too_large"
    exit_status = 65


class NotText(MemoryFault):
    """Bytes that are no UTF-8, or code points that are no characters."""

    code = "cave_not_text"
    exit_status = 65


class BadImport(MemoryFault):
    """A file in which nothing could be read."""

    code = "cave_bad_import"
    exit_status = 65


class OwnOutput(MemoryFault):
    """The tool's own reply, handed back to it: storing it would double what is known."""

    code = "cave_own_output"
    exit_status = 65


class SecretFound(MemoryFault):
    """A secret, named by its rule and its place; never by its text."""

    code = "cave_secret_refused"
    exit_status = 78
