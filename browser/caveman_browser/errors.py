"""Every error of the browser part, sorted by whose fault it is. Prints nothing.

BrowserError
├── BrowserRefused        policy or a missing grant; nothing was sent to Chrome     exit 78
│   ├── WriteDenied           no grant holds for this verb on this origin
│   ├── UrlRefused            an address, redirect or pop-up that the URL policy refuses
│   ├── ReadOnlyConnection    the reader asked for a CDP method outside its allow-list
│   └── BadRule               browser.toml or a project file says something that cannot be
├── BadRequest            the caller asked for something that cannot be             exit 2
│   ├── BadQuery              a query that does not parse
│   └── FileNotUsable         a file to upload that is not there
├── ReferenceTrouble      a reference that names no element now                     exit 1
│   ├── StaleReference        it belonged to a page or element that is gone
│   └── UnknownReference      it was never given out
├── PageTrouble           the page's doing                                          exit 1
│   ├── NoPage                no page is open, or the chosen one was closed
│   ├── NavigationFailed      the address did not load
│   ├── NotActionable         covered, disabled, detached, not visible
│   ├── ScriptError           an evaluated expression threw
│   ├── PageTooLarge          more nodes than can be described in time
│   └── PageCrashed           its renderer ended
├── WaitNotMet            --wait-for: the text did not come                         exit 3
└── ChromeTrouble         the browser's or the machine's                            exit 1
    ├── ChromeNotFound        none is installed where we look
    ├── ChromeFailed          it did not start
    ├── AttachFailed          no DevTools endpoint answered there
    ├── BrowserLost           it ended or the connection closed during the call
    ├── TargetGone            the tab or frame went away during the call
    ├── DeadlineExceeded      no answer in time
    ├── ProtocolError         Chrome answered a call with an error
    └── HostFailed            the command line's host process did not start or answer
"""

from caveman_engine.errors import CavemanError


class BrowserError(CavemanError):
    """Base of the browser's errors."""

    code = "cave_browser_failed"


class BrowserRefused(BrowserError):
    """Policy or a missing grant said no before Chrome was touched."""

    code = "cave_browser_refused"
    exit_status = 78


class WriteDenied(BrowserRefused):
    """No grant holds for this verb on this origin."""

    code = "cave_browser_write_denied"


class UrlRefused(BrowserRefused):
    """The URL policy refuses this address."""

    code = "cave_url_refused"


class ReadOnlyConnection(BrowserRefused):
    """The reader's connection refuses a CDP method outside its allow-list."""

    code = "cave_browser_read_only"


class BadRule(BrowserRefused):
    """A rule of browser.toml or of a project file that cannot be understood."""

    code = "cave_bad_setting"


class BadRequest(BrowserError):
    """The caller asked for something that cannot be."""

    code = "cave_usage"
    exit_status = 2


class BadQuery(BadRequest):
    """A query that does not parse, such as a broken regular expression."""

    code = "cave_bad_query"


class FileNotUsable(BadRequest):
    """A file to upload that is not there or is no file."""

    code = "cave_file_not_usable"


class ReferenceTrouble(BrowserError):
    """A reference that names no element now."""

    code = "cave_bad_ref"


class StaleReference(ReferenceTrouble):
    """The page or element of this reference is gone."""

    code = "cave_stale_ref"


class UnknownReference(ReferenceTrouble):
    """This reference was never given out."""

    code = "cave_unknown_ref"


class PageTrouble(BrowserError):
    """Something that the page did."""

    code = "cave_page_failed"


class NoPage(PageTrouble):
    """No page is open, or the chosen one was closed."""

    code = "cave_no_page"


class NavigationFailed(PageTrouble):
    """The address did not load."""

    code = "cave_navigation_failed"


class NotActionable(PageTrouble):
    """The element cannot be acted on: covered, disabled, detached or not visible."""

    code = "cave_not_actionable"


class ScriptError(PageTrouble):
    """An evaluated expression threw."""

    code = "cave_script_error"


class PageTooLarge(PageTrouble):
    """The page has more nodes than Chrome can describe in time."""

    code = "cave_page_too_large"
    exit_status = 65


class PageCrashed(PageTrouble):
    """The renderer of the page ended."""

    code = "cave_page_crashed"


class WaitNotMet(BrowserError):
    """The text that was waited for did not come."""

    code = "cave_wait_not_met"
    exit_status = 3


class ChromeTrouble(BrowserError):
    """The browser or the machine failed."""

    code = "cave_chrome_failed"


class ChromeNotFound(ChromeTrouble):
    """No Chrome is installed where we look."""

    code = "cave_chrome_not_found"


class ChromeFailed(ChromeTrouble):
    """Chrome did not start."""


class AttachFailed(ChromeTrouble):
    """No DevTools endpoint answered there."""

    code = "cave_attach_failed"


class BrowserLost(ChromeTrouble):
    """Chrome ended or the connection closed during the call."""

    code = "cave_browser_lost"


class TargetGone(ChromeTrouble):
    """The tab or frame went away during the call."""

    code = "cave_target_gone"


class DeadlineExceeded(ChromeTrouble):
    """No answer came in time."""

    code = "cave_deadline"


class ProtocolError(ChromeTrouble):
    """Chrome answered a call with an error; ``what`` names the method and Chrome's words."""

    code = "cave_protocol_error"


class HostFailed(ChromeTrouble):
    """The command line's host process did not start or answer."""

    code = "cave_browser_host_failed"
