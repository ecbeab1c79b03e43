"""The settings of config.toml: which keys there are, what they may hold, and where each value comes from.

Environment beats the home's ``config.toml``, which beats the defaults. A project's ``.caveman.toml`` can only make
things more cautious; what it asks beyond that is left out and named. Must never know what a setting is used for.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caveman_engine.errors import BadSetting, UsageError
from caveman_engine.home import home

FILE = "config.toml"
PROJECT_FILE = ".caveman.toml"
TOOL_GROUPS = ("mem", "engine", "browser", "files")
_SECRETS = ("allow", "mask", "refuse")
_VERBS = "click type clear press select check uncheck hover upload dialog eval".split()


@dataclass(frozen=True, slots=True)
class Key:
    """One known key. ``*`` as last part stands for any name of a content type.

    ``check`` gives the value in its own type or raises ValueError with the form wanted; ``cautious(old, new)``
    tells whether a project may change old to new (None: never).
    """

    name: str
    default: Any
    check: Callable[[Any], Any]
    summary: str
    variable: str | None = None
    cautious: Callable[[Any, Any], bool] | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and its source: "default", the path of a file, or the name of an environment variable."""

    key: str
    value: Any
    source: str


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings that hold, and what a project's file asked in vain (``ignored``: key, path)."""

    found: Mapping[str, Setting]
    ignored: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> Any:
        """Give the value of a key, the default where nothing was said.

        Raises:
            UsageError: no such key; the hint has the nearest one.
        """
        return self.setting(name).value

    def setting(self, name: str) -> Setting:
        """Give the value of a key with its source. Errors as `get`."""
        key = known(name)
        return self.found.get(name) or Setting(name, key.default, "default")

    def all(self) -> list[Setting]:
        """Give every key in the order of the table; of ``*`` keys those that were set."""
        rows: list[Setting] = []
        for key in KEYS:
            if key.name.endswith("*"):
                rows += [setting for name, setting in self.found.items() if name.startswith(key.name[:-1])]
            else:
                rows.append(self.setting(key.name))
        return rows


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false", "1", "0", "yes", "no"):
        return value.lower() in ("true", "1", "yes")
    raise ValueError("true or false")


def _count(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ValueError("a whole number from 0")


def _share(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if isinstance(value, bool) or not 0 <= number <= 1:
        raise ValueError("a number from 0 to 1")
    return number


def _text(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise ValueError("a text")


def _secrets(value: Any) -> str:
    if value in _SECRETS:
        return str(value)
    raise ValueError(" or ".join(_SECRETS))


def _groups(value: Any) -> list[str]:
    names = value.split(",") if isinstance(value, str) else value
    if isinstance(names, list) and names and all(name in TOOL_GROUPS for name in names):
        return [str(name) for name in names]
    raise ValueError("a list of " + ", ".join(TOOL_GROUPS))


def _verbs(value: Any) -> list[str]:
    names = value.split(",") if isinstance(value, str) else value
    if isinstance(names, list) and all(name in _VERBS for name in names):
        return [str(name) for name in names]
    raise ValueError("a list of " + ", ".join(_VERBS))


KEYS: tuple[Key, ...] = (
    Key(
        "engine.types.*", True, _flag, "false: never compress this content type", None, lambda _, new: not new
    ),
    Key(
        "engine.min_saving_tokens",
        50,
        _count,
        "a view must save at least this many tokens",
        "CAVEMAN_MIN_SAVING_TOKENS",
        lambda old, new: new >= old,
    ),
    Key(
        "engine.min_saving_share",
        0.1,
        _share,
        "a view must save at least this share",
        "CAVEMAN_MIN_SAVING_SHARE",
        lambda old, new: new >= old,
    ),
    Key("mem.scope", None, _text, "scope of memories instead of the project's", "CAVEMAN_SCOPE"),
    Key(
        "mem.secrets",
        "refuse",
        _secrets,
        "what a fact with a secret meets: refuse, mask or allow",
        "CAVEMAN_SECRETS",
        lambda old, new: _SECRETS.index(new) >= _SECRETS.index(old),
    ),
    Key("browser.chrome", None, _text, "the browser's program", "CAVEMAN_BROWSE_CHROME"),
    Key("browser.idle", 3600, _count, "seconds until an unused browser is closed", "CAVEMAN_BROWSE_IDLE"),
    Key(
        "browser.verbs",
        _VERBS,
        _verbs,
        "verbs that a grant of browser.toml or of a command can give",
        None,
        lambda old, new: set(new) <= set(old),
    ),
    Key(
        "mcp.tools",
        ["mem", "engine", "browser"],
        _groups,
        "groups of tools that the server lists",
        "CAVEMAN_MCP_TOOLS",
        lambda old, new: set(new) <= set(old),
    ),
)


def path() -> str:
    """Give the path of the home's config.toml; it need not exist."""
    return os.path.join(home(), FILE)


def known(name: str) -> Key:
    """Give the row of the table for a key's name.

    Raises:
        UsageError: no such key; the hint has the nearest one.
    """
    for key in KEYS:
        if name == key.name or (key.name.endswith("*") and name.startswith(key.name[:-1]) and _is_type(name)):
            return key
    raise UsageError(f"there is no setting {name!r}", hint=_nearest(name))


def load(folder: str | None = None) -> Settings:
    """Read the settings as they hold in ``folder`` (the working directory).

    Raises:
        BadSetting: a file that is no TOML, an unknown key (with the nearest one) or a value that cannot be.
    """
    found = {name: Setting(name, value, path()) for name, value in _file(path())}
    for key in KEYS:
        if key.variable and (text := os.environ.get(key.variable)):
            value = _checked(key, text, key.variable, "environment")
            found[key.name] = Setting(key.name, value, key.variable)
    ignored = []
    project = project_file(folder or os.getcwd())
    for name, value in _file(project) if project else ():
        key = known(name)
        old = found[name].value if name in found else key.default
        if key.cautious is not None and key.cautious(old, value):
            found[name] = Setting(name, value, str(project))
        else:
            ignored.append((name, str(project)))
    return Settings(found, tuple(ignored))


def project_file(folder: str) -> str | None:
    """Give the nearest ``.caveman.toml`` at or above ``folder``, not beyond the repository it lies in."""
    folder = os.path.abspath(folder)
    while True:
        candidate = os.path.join(folder, PROJECT_FILE)
        if os.path.isfile(candidate):
            return candidate
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def set_value(name: str, text: str) -> Setting:
    """Write one key into the home's config.toml, keeping its comments and order. ``text`` as in TOML, or bare.

    Raises:
        UsageError, BadSetting: no such key, or a value that cannot be; nothing was written.
    """
    import tomllib

    import tomlkit

    from caveman_engine.hardening import make_parents

    key = known(name)
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    value = _checked(key, value, name, "command line")
    list(_file(path()))  # a file that is broken already is not rewritten
    document = tomlkit.parse(_read(path()) or "")
    table: Any = document
    *parents, last = name.split(".")
    for parent in parents:
        table = table.setdefault(parent, tomlkit.table())
    table[last] = value
    make_parents(home())
    replace(path(), tomlkit.dumps(document).encode())
    return Setting(name, value, path())


def replace(target: str, data: bytes) -> None:
    """Put ``data`` in the place of a file in one step, keeping its mode (0600 for a new one)."""
    import tempfile

    target = os.path.realpath(target)
    mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o600
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".caveman-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _file(file: str) -> Iterator[tuple[str, Any]]:
    """Give the keys of one file with checked values."""
    text = _read(file)
    if not text:
        return
    import tomllib

    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(f"not valid TOML: {error}", where=file, hint="correct the file") from error
    for name, value in _leaves(tree):
        try:
            key = known(name)
        except UsageError as error:
            raise BadSetting(error.what, where=file, hint=error.hint) from error
        yield name, _checked(key, value, name, file)


def _read(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"cannot be read: {error}", where=file, hint="correct or move the file") from error


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _checked(key: Key, value: Any, name: str, where: str) -> Any:
    try:
        return key.check(value)
    except ValueError as error:
        raise BadSetting(f"{name} is {value!r}", where=where, hint=f"give {error}") from None


def _is_type(name: str) -> bool:
    from caveman_engine.registry import BY_NAME

    return name.rpartition(".")[2] in BY_NAME


def _nearest(name: str) -> str:
    """Name the key that was probably meant."""
    from difflib import get_close_matches

    from caveman_engine.registry import BY_NAME

    names = [key.name for key in KEYS if not key.name.endswith("*")]
    names += [f"engine.types.{kind}" for kind in BY_NAME]
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else "known: " + ", ".join(key.name for key in KEYS)
