"""The URL policy applied to what Chrome itself requests: redirects, clicked links, frames, parts of a page.

Turns one paused request into its answer. Knows no connection; never waits.
"""

from dataclasses import dataclass
from typing import Any

from caveman_browser.policy import Policy


@dataclass(frozen=True, slots=True)
class Blocked:
    """A request that was stopped. ``page``: it would have replaced a document, not a part of one.

    ``late``: only its answer showed that it must not be; the page has been left again.
    """

    url: str
    reason: str
    page: bool
    late: bool = False


def patterns(policy: Policy, *, owned: bool) -> list[dict[str, Any]]:
    """Give what Fetch must pause: documents always, every request when a list or a foreign Chrome asks for it.

    Without lists only link-local addresses are refused; a Chrome of ours is started unable to resolve them, so
    that parts of pages need no look.
    """
    if policy.lists or not owned:
        return [{"urlPattern": "*"}]
    return [{"urlPattern": "*", "resourceType": "Document"}]


def verdict(paused: dict[str, Any], policy: Policy) -> tuple[str, dict[str, Any], Blocked | None]:
    """Answer a Fetch.requestPaused event: the CDP method, its parameters, and what was blocked.

    A document is aborted rather than failed: the page before it stays, with its references.
    """
    url = paused["request"]["url"]
    # A document that a page made itself, such as blob:, comes from no other origin.
    page = paused.get("resourceType") == "Document" and url.startswith(("http:", "https:"))
    reason = policy.refuses(url, part=not page)
    if reason is None:
        return "Fetch.continueRequest", {"requestId": paused["requestId"]}, None
    failure = "Aborted" if page else "BlockedByClient"
    answer = {"requestId": paused["requestId"], "errorReason": failure}
    return "Fetch.failRequest", answer, Blocked(url, reason, page)
