import pytest

from caveman_browser import guard
from caveman_browser.policy import OriginRule, Policy

ONLY_A = Policy((OriginRule.parse("a.test"),))


def paused(url, kind="Document"):
    return {"requestId": "r1", "resourceType": kind, "request": {"url": url}}


def test_an_allowed_request_goes_on():
    method, params, blocked = guard.verdict(paused("https://a.test/"), ONLY_A)
    assert (method, params, blocked) == ("Fetch.continueRequest", {"requestId": "r1"}, None)


def test_brw_59_a_document_of_another_origin_is_aborted_so_that_the_page_before_stays():
    method, params, blocked = guard.verdict(paused("https://b.test/"), ONLY_A)
    assert (method, params["errorReason"], blocked.page) == ("Fetch.failRequest", "Aborted", True)


@pytest.mark.parametrize("kind", ["Image", "Script", "XHR", "Other"])
def test_a_part_of_another_origin_is_blocked(kind):
    method, params, blocked = guard.verdict(paused("https://b.test/x", kind), ONLY_A)
    assert (method, params["errorReason"], blocked.page) == ("Fetch.failRequest", "BlockedByClient", False)


def test_a_document_that_a_page_made_itself_goes_on():
    assert guard.verdict(paused("blob:https://a.test/1"), ONLY_A)[0] == "Fetch.continueRequest"


def test_a_link_local_document_is_refused_without_any_list():
    assert guard.verdict(paused("http://169.254.169.254/"), Policy())[2].reason.startswith("link-local")


def test_without_lists_only_documents_of_an_own_browser_are_looked_at():
    assert guard.patterns(Policy(), owned=True) == [{"urlPattern": "*", "resourceType": "Document"}]
    assert guard.patterns(Policy(), owned=False) == [{"urlPattern": "*"}]
    assert guard.patterns(ONLY_A, owned=True) == [{"urlPattern": "*"}]
