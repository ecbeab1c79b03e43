"""Chrome's profile folders: named ones that keep a login, temporary ones that go with their browser.

A folder in use is known by a lock on a file in it, which the system drops when its holder dies, however it dies.
Knows nothing of Chrome but the lock files that a killed one leaves behind.
"""

import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass

from caveman_browser import errors
from caveman_engine.home import home

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_LOCK = "caveman.lock"


@dataclass(slots=True)
class Profile:
    """A locked profile folder. ``note`` says why it is not the one asked for."""

    path: str
    temporary: bool
    _lock: int
    note: str | None = None

    def release(self) -> None:
        """Let the folder go; a temporary one is removed."""
        if self.temporary:
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)
        if self.temporary:
            # Windows removes an open file only after it is closed.
            shutil.rmtree(self.path, ignore_errors=True)


def browser_home() -> str:
    """Give the browser's folder in the home, made 0700."""
    folder = os.path.join(home(), "browser")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def check_name(name: str) -> str:
    """Give the profile's name back, or raise `BadRequest` for one that could leave the folder."""
    if not _NAME.match(name):
        raise errors.BadRequest(f"{name!r} is no profile name", hint="letters, digits, '.', '_' and '-'")
    return name


def take(name: str | None) -> Profile:
    """Lock the named profile, or a temporary one when there is no name or the named one is in use."""
    if name is None:
        return _temporary()
    folder = os.path.join(browser_home(), "profiles", check_name(name))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    held = lock(os.path.join(folder, _LOCK))
    if held is None:
        profile = _temporary()
        profile.note = f"profile {name} is in use elsewhere: a temporary one, without its logins, is used"
        return profile
    _drop_stale_locks(folder)
    return Profile(folder, temporary=False, _lock=held)


def sweep() -> int:
    """Remove temporary profiles whose browser has gone without removing them; give their number."""
    root = os.path.join(browser_home(), "temporary")
    removed = 0
    for entry in os.listdir(root) if os.path.isdir(root) else ():
        folder = os.path.join(root, entry)
        held = lock(os.path.join(folder, _LOCK))
        if held is not None:
            Profile(folder, temporary=True, _lock=held).release()
            removed += 1
    return removed


def _temporary() -> Profile:
    root = os.path.join(browser_home(), "temporary")
    os.makedirs(root, mode=0o700, exist_ok=True)
    # A sweep could take the folder between its making and its lock: then another one is made.
    while True:
        folder = tempfile.mkdtemp(dir=root)
        held = lock(os.path.join(folder, _LOCK))
        if held is not None:
            return Profile(folder, temporary=True, _lock=held)


def lock(path: str) -> int | None:
    """Lock a file without waiting; give its descriptor (closing it unlocks), or None when somebody holds it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _drop_stale_locks(folder: str) -> None:
    """Remove the locks that a killed Chrome left: we hold the folder, so nobody else runs in it."""
    for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            os.unlink(path)
