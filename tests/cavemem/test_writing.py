"""How a fact becomes a row."""

import pytest

from caveman_mem import writing
from caveman_mem.errors import OwnOutput, SecretFound


def test_a_plain_text_passes():
    assert writing.screened("the lamp is teal") == "the lamp is teal"


@pytest.mark.parametrize("text", ["the key is AKIA" + "Q" * 16, "<private>a</private> AKIA" + "Q" * 16])
def test_a_secret_does_not_pass(text):
    with pytest.raises(SecretFound):
        writing.screened(text)


def test_its_own_output_does_not_pass():
    with pytest.raises(OwnOutput):
        writing.screened("[mem_0123456789abcdef · 2026-01-01]\nx")


def test_a_batch_knows_its_own_repeats_and_what_was_there(store):
    known = store.remember("red")
    drafts = [writing.Draft(text, "global") for text in ("red", "green", " green", "blue", "red ")]
    with store.files.writing() as database:
        found = writing.add(database, drafts)
    assert [is_known for _, is_known in found] == [True, False, True, False, True]
    assert found[0][0] == found[4][0] == known.id
    assert found[1][0] == found[2][0]


def test_tags_are_kept_once_in_order():
    assert writing.tags_json([]) == "[]"
    assert writing.tags_json(["b", "a", "b"]) == '["b", "a"]'


def test_a_row_that_is_restored_keeps_everything(store):
    memory = store.remember("red", tags=["t"], kind="k")
    row = writing.row_of(memory, 1, "red", 1)
    assert len(row) == len(writing.COLUMNS.split(", "))
    assert row[1] == memory.id
    assert row[17] == '["t"]'
