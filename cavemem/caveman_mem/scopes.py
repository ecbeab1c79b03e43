"""Which scope a fact belongs to when nobody says: the project of a folder. Reads ``.git`` only; start-up path."""

import os

GLOBAL = "global"


def scope_here(folder: str | None = None) -> str:
    """Give CAVEMAN_SCOPE, else the project of ``folder`` (the working directory), else ``global``.

    A project is named by its git common directory, so all worktrees of a repository share one scope:
    folder name, ``-`` and 8 hex digits of CRC-32 over the path.
    """
    given = os.environ.get("CAVEMAN_SCOPE", "").strip()
    if given:
        return given
    try:
        common = _common_dir(folder or os.getcwd())
    except OSError:
        return GLOBAL
    if common is None:
        return GLOBAL
    from binascii import crc32

    name = os.path.basename(os.path.dirname(common) if common.endswith(os.sep + ".git") else common)
    name = "".join(char if char.isprintable() else "_" for char in name.removesuffix(".git"))
    return f"{name or 'root'}-{crc32(os.fsencode(common)):08x}"


def _common_dir(folder: str) -> str | None:
    """Find the git common directory that ``folder`` lies in."""
    folder = os.path.realpath(folder)
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return git
        if os.path.isfile(git):
            return _linked(git)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _linked(file: str) -> str:
    """Follow the ``gitdir:`` file of a worktree or submodule to the common directory."""
    with open(file, encoding="utf-8", errors="surrogateescape") as lines:
        target = lines.read().strip().removeprefix("gitdir:").strip()
    git = os.path.join(os.path.dirname(file), target)
    link = os.path.join(git, "commondir")
    if os.path.isfile(link):
        with open(link, encoding="utf-8", errors="surrogateescape") as lines:
            git = os.path.join(git, lines.read().strip())
    return os.path.realpath(git)
