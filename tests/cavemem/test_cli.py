"""The commands: what they print, where, and with which exit status."""

import json

import pytest
from typer.testing import CliRunner

from caveman_engine import tokens
from caveman_mem import MemoryStore
from caveman_mem.cli import app


@pytest.fixture
def cli(home):
    """Run a command in this process; give its result, with CavemanErrors as they are raised."""
    return lambda *words, stdin=None: CliRunner().invoke(app, list(words), input=stdin)


@pytest.mark.slow
def test_mem_37_help_and_typos_make_no_file(run, home):
    assert run("--help").returncode == 0
    assert run("frobnicate").returncode == 2
    assert run("recall").returncode == 2
    assert not home.exists()


def test_every_command_has_a_summary(cli):
    lines = cli("--help").stdout.split("Commands:")[1].strip().splitlines()
    assert len(lines) == 15
    assert all(len(line.split()) > 3 for line in lines)


def test_mem_49_all_words_are_the_text(cli, home):
    cli("remember", "one", "two", "three", "--tag", "t")
    assert [memory.text for memory in MemoryStore.open().list()] == ["one two three"]


@pytest.mark.parametrize(
    "text", ["--help", "-v", "@notes.txt", '{"text": 1}', "# heading", "---\ntitle: x\n---\nbody\n"]
)
def test_mem_48b_standard_input_is_the_text_byte_for_byte(cli, text):
    assert cli("remember", "--stdin", stdin=text).exit_code == 0
    assert [memory.text for memory in MemoryStore.open().list()] == [text]


def test_a_file_is_the_text(cli, tmp_path):
    (tmp_path / "f.md").write_bytes(b"a\r\nb")
    assert cli("remember", "--file", str(tmp_path / "f.md")).exit_code == 0
    assert MemoryStore.open().list()[0].text == "a\r\nb"


@pytest.mark.parametrize(
    "words", [[], ["x", "--stdin"], ["--file", "/nowhere"], ["x", "--mask", "--allow-secret"]]
)
def test_a_text_from_nowhere_or_from_two_places_is_a_usage_error(cli, home, words):
    result = cli("remember", *words)
    assert result.exception.code == "cave_usage"
    assert result.exception.exit_status == 2
    assert not home.exists()


def test_bytes_that_are_no_text_are_refused(cli, tmp_path):
    (tmp_path / "f").write_bytes(b"a\xff")
    assert cli("remember", "--file", str(tmp_path / "f")).exception.code == "cave_not_text"


def test_remember_as_json_has_the_whole_fact(cli):
    shown = json.loads(
        cli(
            "remember", "red", "--json", "--tag", "a", "--kind", "k", "--session", "s", "--source", "agent:x"
        ).stdout
    )
    assert shown["tags"] == ["a"]
    assert shown["already_known"] is False
    assert shown["source"] == "agent:x"
    assert json.loads(cli("remember", "red", "--json").stdout)["already_known"] is True


def test_recall_as_json_is_one_object_with_every_key_and_within_its_budget(cli):
    for i in range(30):
        cli("remember", f"tap {i} " + "word " * 28)
    for budget in (200, 500, 2000):
        out = cli("recall", "tap", "--json", "--limit", "30", "--budget", str(budget)).stdout
        found = json.loads(out)
        assert list(found) == ["hits", "omitted", "more", "note", "explain"]
        assert tokens.count(out) <= budget
        assert len(found["hits"]) + len(found["omitted"]) + found["more"] == 30
        assert found["hits"][0]["id"].startswith("mem_")


def test_recall_explains_on_stderr_or_in_json(cli):
    cli("remember", "the lamp is teal")
    assert "idf" in cli("recall", "lamp", "--explain").stderr
    assert json.loads(cli("recall", "lamp", "--explain", "--json").stdout)["explain"][0]["bm25"] > 0


def test_a_clamped_limit_is_said(cli):
    cli("remember", "tap one")
    assert "100" in cli("recall", "tap", "--limit", "1000000000").stderr
    assert "100" in json.loads(cli("recall", "tap", "--limit", "1000000000", "--json").stdout)["note"]


def test_the_life_of_a_fact_by_commands(cli):
    first = json.loads(cli("remember", "the port is 1", "--json").stdout)["id"]
    second = json.loads(cli("supersede", first, "the port is 2", "--json").stdout)["id"]
    assert [m["text"] for m in json.loads(cli("history", first, "--json").stdout)["memories"]] == [
        "the port is 1",
        "the port is 2",
    ]
    assert cli("recover", second).stdout == "the port is 2"
    assert (
        "pinned: True" in cli("edit", second, "--pin").stdout
        or cli("show", second).stdout.count("pinned: True") == 1
    )
    assert "superseded" in cli("list", "--superseded").stdout
    result = cli("forget", second)
    assert f"{second} forgotten" in result.stdout
    assert f"{first} holds again" in result.stderr
    assert json.loads(cli("forget", first, "--json").stdout)["erased"] is True
    assert json.loads(cli("list", "--json").stdout) == {"memories": []}


def test_mem_45_forget_by_words_wants_the_exact_text(cli):
    cli("remember", "deploy key for staging")
    assert cli("forget", "deploy", "key").exception.code == "cave_forget_inexact"
    assert cli("forget", "deploy", "key", "for", "staging").exit_code == 0


def test_mem_56_the_printed_json_is_no_new_fact(cli):
    cli("remember", "the lamp is teal")
    for form in (["recall", "teal", "--json"], ["recall", "teal"], ["list"], ["list", "--json"]):
        assert cli("remember", "--stdin", stdin=cli(*form).stdout).exception.code == "cave_own_output"


def test_edit_without_anything_to_change_is_a_usage_error(cli):
    assert cli("edit", "mem_" + "0" * 16).exception.code == "cave_usage"


def test_ids_complete_with_the_beginning_of_their_text(cli):
    from caveman_mem.cli import _ids

    with MemoryStore.open() as store:
        memory = store.remember("the lamp is teal")
    assert _ids("mem_") == [(memory.id, "the lamp is teal")]
    assert _ids("ccr") == []


def test_a_setting_decides_about_secrets_and_the_scope(cli, home):
    home.mkdir()
    (home / "config.toml").write_text('[mem]\nsecrets = "mask"\nscope = "mine"\n')
    shown = json.loads(cli("remember", "key AKIA" + "Q" * 16, "--json").stdout)
    assert shown["text"] == "key [masked: aws-access-key]"
    assert shown["scope"] == "mine"
