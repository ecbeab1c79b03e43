"""When a page has come to rest: loaded, nothing in flight, and no layout for a moment.

The page is not asked to run anything: Chrome's own counters tell whether it changed. A document in which no script
ever ran cannot change by itself and needs no moment.
"""

import time
from collections.abc import Callable
from typing import Any

from caveman_browser.targets import STREAM, Tab

QUIET = 0.3
"""Seconds without a change after which a page counts as settled."""
RESTLESS = 2.0
"""Seconds after which a loaded page that goes on changing, such as one with a running clock, is taken as it is."""
_POLL = 0.03

Call = Callable[..., dict[str, Any]]


def settle(call: Call, tab: Tab, until: float, clock: Callable[[], float] = time.monotonic) -> bool:
    """Wait until the page rests; False when it did not by ``until`` (on ``clock``) or nothing more seems to come."""
    seen = tab.rest
    changed = clock() if seen is None else tab.active
    calm: float | None = None
    while not tab.crashed:
        scripted, layouts = _counters(call, tab)
        now = clock()
        if (state := (tab.loader, layouts)) != seen:
            changed = now if seen is not None else changed
            seen = state
        quiet = now - max(changed, tab.active)
        waiting = any(now - since < STREAM for since in list(tab.requests.values()))
        if tab.loaded and not waiting and (quiet >= QUIET or not scripted):
            tab.rest = seen
            return not tab.requests
        calm = None if waiting or not tab.loaded else calm or now
        if quiet > STREAM or now >= until or (calm is not None and now - calm > RESTLESS):
            return False
        time.sleep(_POLL)
    return False


def remember(call: Call, tab: Tab) -> None:
    """Note how the page looks now. Looking at it may lay it out, which is no change of the page's own."""
    _, layouts = _counters(call, tab)
    tab.rest = (tab.loader, layouts)


def _counters(call: Call, tab: Tab) -> tuple[bool, float]:
    """Give whether any script ran in this document, and how often it was laid out."""
    metrics = call("Performance.getMetrics", None, tab.session)["metrics"]
    values = {metric["name"]: metric["value"] for metric in metrics}
    # Frames in processes of their own are not in these counters.
    scripted = values.get("ScriptDuration", 1) > 0 or len(tab.sessions()) > 1
    return scripted, values.get("LayoutCount", 0)
