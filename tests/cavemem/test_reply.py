"""What a reply looks like, and that the tool knows its own."""

from types import SimpleNamespace

import pytest

from caveman_mem.reply import day, header, is_own_output, text_reply

FACT = SimpleNamespace(
    id="mem_0123456789abcdef", text="x", created_at=1_772_600_000 * 10**9, scope="p", source="user", tags=()
)


def test_a_header_leaves_out_what_goes_without_saying():
    assert header(FACT, "p") == f"[mem_0123456789abcdef · {day(FACT.created_at)}]"


def test_a_header_names_scope_tags_source_and_note_where_they_say_something():
    fact = SimpleNamespace(**{**vars(FACT), "tags": ("a", "b"), "source": "agent:x"})
    assert header(fact, "q", "part").endswith(" · p · #a · #b · agent:x · part]")


def test_nothing_found_is_an_empty_reply():
    assert text_reply([]) == ""


def test_what_was_left_out_is_named_last():
    assert text_reply([("[h]", "t")], ["mem_1", "mem_2"], 3) == "[h]\nt\n\n5 more: mem_1 mem_2\n"
    assert text_reply([], [], 2) == "2 more\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mem_0123456789abcdef",
        "[mem_0123456789abcdef]",
        "see [mem_0123456789abcdef · 2026-01-01]",
        "[note · x]",
    ],
)
def test_other_texts_are_not_its_own(text):
    assert not is_own_output(text)


@pytest.mark.parametrize(
    "text",
    [
        "[mem_0123456789abcdef · 2026-01-01]\nx",
        "\n [mem_0123456789abcdef · 2026]",
        '{"hits": [{"id": "mem_01"}]}',
    ],
)
def test_its_own_reply_is_known_by_its_beginning(text):
    assert is_own_output(text)
