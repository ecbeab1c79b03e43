"""The start-up path of the plain commands: ``URL [QUERY]`` and ``find QUERY``, without a command-line library.

Knows a handful of forms exactly and says so for every other; `cli` has them all.
"""

import sys

from caveman_browser import client
from caveman_engine import console
from caveman_engine.errors import CavemanError


def run(arguments: list[str]) -> int | None:
    """Run a form that is known here and give its exit status; None for any other, nothing done."""
    request = parse(arguments)
    if request is None:
        return None
    as_json = bool(request.pop("json"))
    try:
        client.show(client.ask("snapshot", request, starts=request["url"] is not None), as_json=as_json)
    except CavemanError as error:
        console.report(error, as_json=as_json)
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; the interpreter must not try to flush.
        sys.stdout = None
        return 1
    return 0


def parse(arguments: list[str]) -> dict[str, object] | None:
    """Read ``URL [QUERY]`` or ``find QUERY`` with --max-tokens and --json; None for anything else.

    An address is told by the ``:`` or ``/`` in it, which no command's name has.
    """
    words: list[str] = []
    found: dict[str, object] = {"url": None, "query": None, "max_tokens": 2000, "json": False}
    rest = iter(arguments)
    for word in rest:
        if word == "--json":
            found["json"] = True
        elif word in ("--max-tokens", "-n"):
            number = next(rest, "")
            if not (number.isascii() and number.isdigit()):
                return None
            found["max_tokens"] = int(number)
        elif word.startswith("-"):
            return None
        else:
            words.append(word)
    if len(words) == 2 and words[0] == "find":
        found["query"] = words[1]
    elif 1 <= len(words) <= 2 and words == arguments[: len(words)] and (":" in words[0] or "/" in words[0]):
        found["url"], found["query"] = words[0], words[1] if len(words) == 2 else None
    else:
        return None
    return found
