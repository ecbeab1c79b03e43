"""Where else a handle may be: the engine's store and the memory's stay apart, but a mix-up should say so.

Reads the other store's file, if there is one, and changes nothing.
"""

from caveman_engine import home
from caveman_engine.errors import CavemanError

_HINT = "check that it is copied whole and that CAVEMAN_HOME and CAVEMAN_CCR_DB are those it was made with"


def hint(name: str, where: str) -> str:
    """Say which command has ``name``, a handle or an object's id that is not in the store at ``where``."""
    for path, command in (
        (home.ccr_path(), "caveman tools retrieve"),
        (home.memory_ccr_path(), "caveman mem recover"),
    ):
        if _holds(path, name, where):
            return f"it is in another store: {command} {name}"
    return _HINT


def _holds(path: str, name: str, where: str) -> bool:
    try:
        from caveman_engine.hardening import canonical
        from caveman_engine.recovery.sqlite import SqliteShelf

        if canonical(path) == where:
            return False
        shelf = SqliteShelf(path, busy_seconds=0.2)
        try:
            found = shelf.object(name) if name.startswith("ccr_obj_") else shelf.original(name)
        finally:
            shelf.close()
    except (CavemanError, ImportError):
        return False
    return found is not None
