"""The browser of the Caveman toolkit: pages as an agent reads them. The face for users; loads nothing until asked."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from caveman_browser.browser import Launch
    from caveman_browser.errors import BrowserError
    from caveman_browser.replies import Reply
    from caveman_browser.session import Session

__all__ = ["BrowserError", "Launch", "Reply", "Session"]
_HOMES = {"BrowserError": "errors", "Launch": "browser", "Reply": "replies", "Session": "session"}


def __getattr__(name: str) -> "Any":
    """Import what is asked for, when it is asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
