"""`caveman`: one name for all parts. Owns what happens before any command-line library is loaded.

Hooks run before every command of an agent, so their path is looked at first and ends in milliseconds. The commands
stand in `root.py`.
"""

import sys
from collections.abc import Sequence


def run(argv: Sequence[str] | None = None) -> None:
    """Run `caveman` with ``argv`` (default: the process's own) and end the process by the exit-code table."""
    args = list(sys.argv[1:] if argv is None else argv)
    if args[:3] == ["tools", "hooks", "run"]:
        from caveman_app.hooks import run_hook

        sys.exit(run_hook(args[3:]))
    from caveman_app.root import root
    from caveman_engine import console

    console.run(root(), prog="caveman", args=args)
