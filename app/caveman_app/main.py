"""Where ``caveman`` and ``cavemem`` enter. Sends recall, remember and a page's view to their start-up paths.

Imports nothing that those do not need; everything else goes to the command line proper.
"""

import os
import sys


def main() -> None:
    """Run ``caveman``."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["mem"]:
        _fast(arguments[1:])
    elif arguments[:2] == ["tools", "mem"]:
        _fast(arguments[2:])
    elif arguments[:2] == ["tools", "browse"]:
        from caveman_browser import fast

        if (status := fast.run(arguments[2:])) is not None:
            sys.exit(status)
    from caveman_app.cli import run

    run()


def cavemem() -> None:
    """Run ``cavemem``, which is ``caveman mem`` under its own name."""
    _fast(sys.argv[1:])
    from caveman_mem.cli import main as run

    run()


def _fast(arguments: list[str]) -> None:
    """End the process here when the start-up path knows this form; return when it does not."""
    if arguments[:1] not in (["recall"], ["remember"]):
        return
    from caveman_mem.fast import run

    status = run(arguments)
    if status is not None:
        # Everything is written. What Python tidies up at its end would take as long as the search.
        os._exit(status)
