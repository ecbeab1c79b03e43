"""Which files a store may open: refuses what others could plant, tightens what is ours, makes the rest.

Knows paths and modes. Must never know what is in a file, nor SQLite beyond the names of its sidecars. On the
start-up path: imports os and stat alone.
"""

import os
import stat

from caveman_engine.errors import UnsafeStore

SIDECARS = ("-wal", "-shm", "-journal")


def canonical(path: str) -> str:
    """Give the path with its folder resolved once, so that a link in it cannot be turned later."""
    path = os.path.abspath(path)
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def harden(path: str) -> None:
    """Refuse a file that others could have planted or can replace; tighten the modes of one that is ours.

    ``path`` is canonical. By lstat alone: closing a second descriptor of an open database would drop the
    locks that SQLite holds on it. Windows has neither these modes nor these kinds of files: only links and
    folders are refused there.

    Raises:
        UnsafeStore: symlink, FIFO, folder, device, or a folder that others can write.
    """
    parent = os.path.dirname(path)
    if os.name == "posix" and os.path.isdir(parent):
        mode = os.stat(parent).st_mode
        if mode & 0o022 and not mode & stat.S_ISVTX:
            raise UnsafeStore(
                "others can write the folder of the store", where=parent, hint=f"chmod go-w {parent}"
            )
    for name in (path, *(path + end for end in SIDECARS)):
        try:
            mode = os.lstat(name).st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            raise UnsafeStore(f"the store is a {_kind(mode)}, not a plain file", where=name)
        if os.name == "posix" and mode & 0o077:
            _tighten(name)


def _tighten(name: str) -> None:
    try:
        os.chmod(name, 0o600)
    except FileNotFoundError:
        pass  # a sidecar that its last user has just removed
    except OSError as error:
        if not os.access(name, os.W_OK):
            return  # a read-only copy: nobody can write it, and who may read it is not ours to say
        raise UnsafeStore("others can use the store and its mode cannot be changed", where=name) from error


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "symbolic link",
        stat.S_IFDIR: "folder",
        stat.S_IFIFO: "FIFO",
        stat.S_IFSOCK: "socket",
    }
    return kinds.get(stat.S_IFMT(mode), "device")


def make_parents(folder: str) -> None:
    """Make missing folders, each 0700 whatever the umask."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        try:
            os.mkdir(name, 0o700)
        except FileExistsError:
            if not os.path.isdir(name):
                raise


def create(path: str) -> None:
    """Make the file before SQLite would, so that it never has a wider mode than 0600."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    except FileExistsError:
        return
