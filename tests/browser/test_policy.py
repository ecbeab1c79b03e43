import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_browser import errors, policy
from caveman_browser.policy import OriginRule, Policy

OPEN = Policy()


def only(*origins, **more):
    return Policy(tuple(map(OriginRule.parse, origins)), **more)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:80/x?y#z",
        "https://ok.test/",
        "about:blank",
        "about:blank#x",
        "data:text/html,<h1>x</h1>",
    ],
)
def test_what_is_opened_stays_as_it_was_asked_for(url):
    assert OPEN.check(url) == url


@pytest.mark.parametrize(
    ("asked", "opened"),
    [
        ("example.com/a", "https://example.com/a"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("HTTP://Ok.Test/A", "http://Ok.Test/A"),
        (" http://ok.test/ ", "http://ok.test/"),
    ],
)
def test_a_scheme_that_a_person_left_away_is_added(asked, opened):
    assert OPEN.check(asked) == opened


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https://ok.test@evil.test/", id="brw-55"),
        pytest.param("https:\\\\ok.test@evil.test/", id="brw-55-backslashes"),
        pytest.param("http://169.254.169.254/latest/", id="brw-60"),
        pytest.param("http://2852039166/", id="brw-60-decimal"),
        pytest.param("http://0xA9FEA9FE/", id="brw-60-hex"),
        pytest.param("http://0251.0376.0251.0376/", id="brw-60-octal"),
        pytest.param("http://169.254.43518/", id="brw-60-three-parts"),
        pytest.param("http://[::ffff:169.254.169.254]/", id="brw-60-mapped"),
        pytest.param("http://[::ffff:a9fe:a9fe]/", id="brw-60-mapped-hex"),
        pytest.param("http://[64:ff9b::a9fe:a9fe]/", id="brw-60-nat64"),
        pytest.param("http://[2002:a9fe:a9fe::]/", id="brw-60-6to4"),
        pytest.param("http://[fe80::1]/", id="link-local-v6"),
        pytest.param("http://１６９.254.169.254/", id="full-width-digits"),
        pytest.param("http://169。254。169。254/", id="ideographic-dots"),
        pytest.param("http://169.254.169.254./", id="trailing-dot"),
        pytest.param("http://169.254.\u00ad169.254/", id="soft-hyphen"),
        pytest.param("http://%31%36%39.254.169.254/", id="percent"),
        pytest.param("169.254.169.254/latest", id="without-scheme"),
        pytest.param("http://metadata.google.internal/", id="metadata-name"),
        pytest.param("file:///etc/hostname", id="brw-61-file"),
        pytest.param("FILE:///etc/hostname", id="brw-61-upper-case"),
        pytest.param("javascript:alert(1)", id="brw-61-javascript"),
        pytest.param("chrome://version", id="brw-61-chrome"),
        pytest.param("view-source:file:///etc/hostname", id="brw-61b-view-source"),
        pytest.param("filesystem:http://ok.test/temporary/x", id="brw-61b-filesystem"),
        pytest.param(" file:///etc/hostname", id="brw-61b-leading-space"),
        pytest.param("fi\tle:///etc/hostname", id="brw-61b-tab-inside"),
        pytest.param("//etc/hostname", id="brw-61b-no-scheme"),
        pytest.param("blob:http://ok.test/1", id="blob"),
        pytest.param("data:image/png,x", id="data-other-type"),
        pytest.param("data:text/htmlx,x", id="data-longer-type"),
        pytest.param("http:///", id="no-host"),
        pytest.param("http://x:99999/", id="bad-port"),
        pytest.param("tbas", id="a-word"),
        pytest.param("", id="empty"),
    ],
)
def test_refused_in_any_spelling(url):
    with pytest.raises(errors.UrlRefused) as refused:
        OPEN.check(url)
    assert refused.value.exit_status == 78


def test_a_refused_address_is_quoted_on_one_line_and_bounded():
    with pytest.raises(errors.UrlRefused) as refused:
        OPEN.check("javascript:\u202e\n" + "x" * 5000)
    assert "\n" not in refused.value.what
    assert len(refused.value.what) < 300


def test_brw_56_an_inline_document_is_of_no_allowed_origin():
    with pytest.raises(errors.UrlRefused):
        only("ok.test").check("data:text/html,<h1>x</h1>")


@pytest.mark.parametrize(
    ("rule", "url", "matches"),
    [
        ("ok.test", "https://ok.test:8443/a", True),
        ("ok.test", "https://sub.ok.test/", False),
        ("*.ok.test", "https://sub.ok.test/", True),
        ("*.ok.test", "https://ok.test/", False),
        ("*.ok.test", "https://evilok.test/", False),
        ("https://ok.test", "http://ok.test/", False),
        ("https://ok.test", "https://ok.test:444/", False),
        ("http://127.0.0.1:8000", "http://2130706433:8000/", True),
        ("127.0.0.1:8000", "http://127.0.0.1:8001/", False),
        ("*", "http://anything.test/", True),
        ("http://ok.test", "ws://ok.test/", True),
    ],
)
def test_a_rule_means_an_origin(rule, url, matches):
    assert OriginRule.parse(rule).matches(policy.parse(url)) is matches


@pytest.mark.parametrize("text", ["", "https://", "ftp://x", "ok.test/path", "a b", "user@ok.test"])
def test_a_rule_that_is_no_origin_is_refused(text):
    with pytest.raises(errors.BadRule):
        OriginRule.parse(text)


def test_deny_wins_over_allow():
    both = only("*.ok.test", deny=(OriginRule.parse("bad.ok.test"),))
    assert both.refuses("https://a.ok.test/") is None
    assert "deny" in both.refuses("https://bad.ok.test/")


def test_brw_58_parts_follow_the_pages_unless_they_have_a_list():
    assert only("a.test").refuses("https://b.test/x.png", part=True)
    open_parts = only("a.test", parts_allow=(OriginRule.parse("*"),))
    assert open_parts.refuses("https://b.test/x.png", part=True) is None
    assert open_parts.refuses("http://169.254.169.254/x.png", part=True)
    assert open_parts.refuses("https://b.test/")


def test_parts_without_a_network_always_pass():
    assert only("a.test").refuses("data:image/png,x", part=True) is None
    assert only("a.test").refuses("blob:https://a.test/1", part=True) is None


@given(st.text())
def test_any_text_is_opened_or_refused_and_nothing_else(text):
    try:
        opened = OPEN.check(text)
    except errors.UrlRefused:
        return
    assert opened.split(":")[0] in ("http", "https", "about", "data")


@given(st.integers(0, 65535), st.sampled_from(["{}", "0x{:x}", "0{:o}"]))
def test_every_spelling_of_a_link_local_address_is_known(low, form):
    assert policy.is_link_local(form.format(0xA9FE0000 + low))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "a.localhost"])
def test_this_machine_is_loopback(host):
    assert policy.is_loopback(host)


@pytest.mark.parametrize("host", ["10.0.0.1", "example.com", "localhost.evil.test", ""])
def test_another_machine_is_not(host):
    assert not policy.is_loopback(host)
