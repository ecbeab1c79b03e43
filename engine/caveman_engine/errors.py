"""Every error a user can meet, sorted by whose fault it is. Owns codes and texts' shape; prints nothing.

    CavemanError
    ├── UsageError            the caller asked for something that cannot be        exit 2
    │   ├── InvalidPointer        a reference that does not parse                  exit 1
    │   └── InvalidDocument       a text that is not of the format it is said to be    exit 1
    ├── NotFound              nothing has that name                                exit 1
    │   ├── UnknownHandle         no record under this handle in this store
    │   └── SelectorNotFound      the record is there, the part is not
    ├── Mismatch              it is there, but not what was asked for              exit 1
    │   ├── SelectorMismatch      a row of a JSON document
    │   ├── NoRoundTrip           a document that would not come back the same
    │   └── ObjectTypeMismatch    ?type= says otherwise
    ├── InputTooLarge         more bytes than the limit                            exit 65
    ├── Refused               configuration or policy says no; nothing was opened  exit 78
    │   ├── BadSetting            an environment variable or a key of config.toml
    │   ├── UnsafeStore           symlink, FIFO, folder, device, unsafe parent
    │   └── NewerSchema           written by a later version
    └── StoreTrouble          the machine's fault: cannot read or write now        exit 1
        ├── RecoveryUnavailable   the store cannot be read
        ├── BudgetExceeded        the record does not fit
        ├── StoreBusy             another process held the lock past the wait
        ├── CorruptRecord         bytes that are not what was stored
        └── HandleCollision       another original has this handle

Packages above derive their own base from CavemanError, so that one reporter serves all commands.
"""


class CavemanError(Exception):
    """Base of all: a stable ``code``, what happened, where, what to try, and the exit status it means."""

    code = "cave_failed"
    exit_status = 1

    def __init__(self, what: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def as_dict(self) -> dict[str, str | None]:
        """Give the error as ``--json`` and MCP show it."""
        return {"code": self.code, "what": self.what, "where": self.where, "hint": self.hint}

    def __str__(self) -> str:
        where = f" ({self.where})" if self.where else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.code}: {self.what}{where}{hint}"


class UsageError(CavemanError):
    """The caller asked for something that cannot be."""

    code = "cave_usage"
    exit_status = 2


class InvalidPointer(UsageError):
    """A reference that does not parse."""

    code = "cave_invalid_pointer"
    exit_status = 1


class InvalidDocument(UsageError):
    """A text that is not of the format it is said to be."""

    code = "cave_invalid_document"
    exit_status = 1


class NotFound(CavemanError):
    """Nothing has that name."""

    code = "cave_not_found"


class UnknownHandle(NotFound):
    """No record under this handle in this store."""

    code = "cave_unknown_handle"


class SelectorNotFound(NotFound):
    """The record is there, the selected part is not."""

    code = "cave_selector_not_found"


class Mismatch(CavemanError):
    """It is there, but not what was asked for."""

    code = "cave_mismatch"


class SelectorMismatch(Mismatch):
    """A selector that does not fit the content, such as a row of a JSON document."""

    code = "cave_selector_mismatch"


class NoRoundTrip(Mismatch):
    """A document that would not come back the same from the other format."""

    code = "cave_no_round_trip"


class ObjectTypeMismatch(Mismatch):
    """The pointer asserts another object type."""

    code = "cave_object_type_mismatch"


class InputTooLarge(CavemanError):
    """More bytes than the limit; nothing is truncated."""

    code = "cave_input_too_large"
    exit_status = 65


class Refused(CavemanError):
    """Configuration or policy says no; nothing was opened."""

    code = "cave_refused"
    exit_status = 78


class BadSetting(Refused):
    """An environment variable or a key of config.toml with a value that cannot be."""

    code = "cave_bad_setting"


class UnsafeStore(Refused):
    """The store's path is a symlink, FIFO, folder or device, or others can write its folder."""

    code = "cave_unsafe_store"


class NewerSchema(Refused):
    """The file was written by a later version of the toolkit."""

    code = "cave_newer_schema"


class StoreTrouble(CavemanError):
    """The store cannot be read or written now."""

    code = "cave_store_failed"


class RecoveryUnavailable(StoreTrouble):
    """The store cannot be read."""

    code = "cave_recovery_unavailable"


class BudgetExceeded(StoreTrouble):
    """The record does not fit in what is left of the store's budget."""

    code = "cave_ccr_budget_exceeded"


class StoreBusy(StoreTrouble):
    """Another process held the lock past the wait."""

    code = "cave_store_busy"


class CorruptRecord(StoreTrouble):
    """What is stored is not what was put."""

    code = "cave_ccr_corrupt"


class HandleCollision(StoreTrouble):
    """Another original already has this handle."""

    code = "cave_handle_collision"
