import pytest

from caveman_browser import cli, fast


@pytest.mark.parametrize(
    "arguments",
    [[], ["tabs"], ["act", "e1", "click"], ["find"], ["find", "a", "b"], ["a.test"], ["--json"], ["https://a.test", "q", "r"],
     ["https://a.test", "--new"], ["https://a.test", "-n", "x"], ["https://a.test", "-n"], ["--help"], ["-n", "5", "https://a.test"]],
)  # fmt: skip
def test_every_other_form_is_left_to_the_command_line_proper(arguments):
    assert fast.parse(arguments) is None


@pytest.mark.parametrize(
    ("arguments", "url", "query", "bound", "as_json"),
    [
        (["https://a.test"], "https://a.test", None, 2000, False),
        (["https://a.test", "INV 17"], "https://a.test", "INV 17", 2000, False),
        (["localhost:80/x", "q", "--json"], "localhost:80/x", "q", 2000, True),
        (["https://a.test", "-n", "0"], "https://a.test", None, 0, False),
        (["find", "role:button", "--max-tokens", "50"], None, "role:button", 50, False),
    ],
)
def test_the_plain_forms_are_read(arguments, url, query, bound, as_json):
    assert fast.parse(arguments) == {"url": url, "query": query, "max_tokens": bound, "json": as_json}


def test_no_commands_name_can_be_taken_for_an_address():
    names = {command.name or command.callback.__name__ for command in cli.app.registered_commands}
    assert not [name for name in names if ":" in name or "/" in name]
