"""`caveman remove`: take back every install and hook; with the owner's word also the home's own files.

Deletes only names that the toolkit itself makes, so that a home pointed at a folder of one's own loses nothing else.
"""

import contextlib
import os
import shutil

from caveman_app import install
from caveman_app.install import Change, NoSettings, NotOurs
from caveman_engine.home import home

_FILES = ("ccr.db", "ledger.db", "installs.db", "config.toml", "browser.toml", "browser-audit.jsonl")
_FOLDERS = ("mem", "browser", "backups")


def undo() -> list[Change]:
    """Take out everything that was added to agents' settings.

    Raises:
        NotOurs, NoSettings: a file that holds an entry of ours was left alone; all others are done.
    """
    try:
        changes = install.uninstall("hooks")
    except (NotOurs, NoSettings):
        install.uninstall("mcp")
        raise
    return changes + install.uninstall("mcp")


def owned() -> list[str]:
    """Give what exists in the home of all that the toolkit makes there."""
    folder = home()
    names = [name + end for name in _FILES for end in ("", "-wal", "-shm", "-journal")]
    paths = [os.path.join(folder, name) for name in (*names, *_FOLDERS)]
    return [path for path in paths if os.path.lexists(path)]


def delete_data() -> list[str]:
    """Close the browser, delete the home's own files, and the home itself when nothing else is in it."""
    from caveman_browser import client, errors

    with contextlib.suppress(errors.BrowserError):
        client.ask("close", {})
    gone = owned()
    for path in gone:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    with contextlib.suppress(OSError):
        os.rmdir(home())
    return gone
