import pytest

from caveman_browser import errors, grants


@pytest.fixture
def write(home):
    def write(text):
        (home / "browser.toml").write_text(text)
        (home / "browser.toml").chmod(0o600)

    return write


SHOP = '[[grant]]\norigin = "https://shop.example"\nverbs = ["click", "type"]\n'


def test_without_a_file_nothing_is_granted_and_every_page_may_be_read(home):
    rules = grants.load()
    assert rules.grants == ()
    assert not rules.policy.lists
    with pytest.raises(errors.WriteDenied) as denied:
        rules.require("click")
    assert denied.value.code == "cave_browser_write_denied"


def test_a_grant_holds_on_its_origin_for_its_verbs(write):
    write(SHOP)
    rules = grants.load()
    rules.require("click")
    rules.require("click", "https://shop.example/cart")
    for verb, url in [
        ("click", "https://other.example/"),
        ("select", "https://shop.example/"),
        ("click", "about:blank"),
    ]:
        with pytest.raises(errors.WriteDenied):
            rules.require(verb, url)


def test_a_grant_of_the_command_holds_on_every_page(home):
    grants.load(["click"]).require("click", "data:text/html,x")


def test_a_grant_of_actions_is_none_of_eval(home):
    with pytest.raises(errors.WriteDenied):
        grants.load(grants.ACTIONS).require("eval")


def test_the_file_can_switch_grants_of_commands_off(write):
    write("command_line_grants = false\n")
    with pytest.raises(errors.WriteDenied, match="switches grants of a command off"):
        grants.load(["click"]).require("click")


def test_a_project_can_only_take_verbs_away(write, tmp_path):
    write(SHOP)
    (tmp_path / ".caveman.toml").write_text('[browser]\nverbs = ["click", "eval"]\n')
    rules = grants.load(folder=str(tmp_path))
    rules.require("click")
    with pytest.raises(errors.WriteDenied, match="taken away"):
        rules.require("type")
    with pytest.raises(errors.WriteDenied):
        rules.require("eval")


def test_the_lists_of_addresses_are_read(write):
    write('[pages]\nallow = ["*.ok.test"]\n[parts]\nallow = ["*"]\n')
    policy = grants.load().policy
    assert policy.refuses("https://evil.test/")
    assert policy.refuses("https://evil.test/", part=True) is None


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "allow = 1",
        "[[grant]]\nverbs = ['click']",
        "[[grant]]\norigin = 'x'\nverbs = ['click']\nmore = 1",
        "[[grant]]\norigin = 'https://x/path'\nverbs = ['click']",
        "grant = ['x']",
        "[pages]\nallow = 'x'",
        "pages = 1",
    ],
)
def test_a_file_that_says_what_cannot_be_is_an_error_and_grants_nothing(write, text):
    write(text)
    with pytest.raises(errors.BadRule) as bad:
        grants.load()
    assert bad.value.exit_status == 78


def test_a_file_that_others_can_write_is_refused(write, home):
    write(SHOP)
    (home / "browser.toml").chmod(0o620)
    with pytest.raises(errors.BadRule, match="others can write"):
        grants.load()


def test_an_unknown_verb_is_an_error_wherever_it_stands(write):
    with pytest.raises(errors.BadRequest, match="there is no verb"):
        grants.load(["klick"])
    write('[[grant]]\norigin = "x.test"\nverbs = ["klick"]')
    with pytest.raises(errors.BadRequest, match="there is no verb"):
        grants.load()


def test_what_holds_is_shown_with_its_source(write, home):
    write(SHOP)
    shown = grants.load(["hover"]).as_dict()
    assert [row["origin"] for row in shown["grants"]] == ["https://shop.example", "*"]
    assert shown["grants"][0]["source"] == str(home / "browser.toml")
    assert shown["grants"][1] == {"origin": "*", "verbs": ["hover"], "source": "--allow"}
