"""A visible window for a person to sign in; its profile keeps what the site remembers.

Nothing is read or typed here: the window is the person's until it is closed.
"""

import contextlib
import sys
import time
from collections.abc import Callable

from caveman_browser import browser, errors, grants
from caveman_browser.browser import Launch


def sign_in(url: str, profile: str, say: Callable[[str], None]) -> None:
    """Open ``url`` in a window on ``profile`` and wait until the person closes it.

    Raises `UrlRefused`, `ChromeNotFound`, `ChromeFailed`, `BadRequest` for a profile in use.
    """
    policy = grants.load().policy
    address = policy.check(url)
    chrome = browser.start(policy, Launch(profile, headful=True))
    try:
        if any("in use" in note for note in chrome.notes):
            hint = f"caveman tools browse close --profile {profile}"
            raise errors.BadRequest(f"profile {profile} is in use elsewhere", hint=hint)
        tab = chrome.open_tab(30)
        chrome.link.post("Page.navigate", {"url": address}, tab.session)
        say("sign in, then close the window" + (" (or press Ctrl-C)" if sys.stdin.isatty() else ""))
        with contextlib.suppress(KeyboardInterrupt):
            while chrome.lost is None and chrome.tabs:
                time.sleep(0.2)
    finally:
        chrome.close()
