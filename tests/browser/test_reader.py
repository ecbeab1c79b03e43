import pytest

from caveman_browser import errors
from caveman_browser.policy import Policy
from caveman_browser.reader import _READS, ReadCall


class Link:
    def __init__(self):
        self.calls = []

    def call(self, method, params, session, timeout):
        self.calls.append(method)
        return {}


@pytest.mark.parametrize(
    "method",
    [
        "Input.dispatchMouseEvent",
        "Input.dispatchKeyEvent",
        "Input.insertText",
        "Runtime.evaluate",
        "Runtime.callFunctionOn",
        "DOM.setFileInputFiles",
        "DOM.setAttributeValue",
        "DOM.focus",
        "Page.handleJavaScriptDialog",
        "Page.addScriptToEvaluateOnNewDocument",
        "Page.setDocumentContent",
        "Network.setCookie",
        "Fetch.fulfillRequest",
    ],
)
def test_the_readers_connection_refuses_what_could_write(method):
    link = Link()
    with pytest.raises(errors.ReadOnlyConnection):
        ReadCall(link, Policy(), 0)(method, {})
    assert link.calls == []


def test_the_readers_connection_passes_what_only_looks():
    link = Link()
    ReadCall(link, Policy(), 0)("Accessibility.getFullAXTree", {})
    assert link.calls == ["Accessibility.getFullAXTree"]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/hostname", "http://169.254.169.254/"])
def test_the_readers_connection_refuses_addresses_that_the_policy_refuses(url):
    link = Link()
    with pytest.raises(errors.UrlRefused):
        ReadCall(link, Policy(), 0)("Page.navigate", {"url": url})
    assert link.calls == []


def test_no_domain_that_acts_is_on_the_list():
    assert not [
        method for method in _READS if method.split(".")[0] in ("Input", "Runtime", "Storage", "Debugger")
    ]
    assert not [method for method in _READS if ".set" in method or ".remove" in method]
