import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.errors import UsageError
from caveman_engine.recovery import objects

PARTS = ("TestResult", "s", "pytest", "abc", "00")


def test_the_set_of_types_is_closed_and_has_thirteen():
    assert len(objects.TYPES) == 13
    with pytest.raises(UsageError, match="no object type"):
        objects.object_id("Note", *PARTS[1:])


def test_an_id_depends_on_each_of_its_parts_and_nothing_else():
    plain = objects.object_id(*PARTS)
    assert plain == objects.object_id(*PARTS)
    assert plain.startswith("ccr_obj_")
    assert len(plain) == 40
    changed = [objects.object_id("BuildResult", *PARTS[1:])]
    for place in range(1, 5):
        changed.append(objects.object_id(*PARTS[:place], PARTS[place] + "x", *PARTS[place + 1 :]))
    assert len({plain, *changed}) == 6


@given(st.lists(st.text(alphabet="ab\0", max_size=3), min_size=4, max_size=4))
def test_a_nul_cannot_shift_what_belongs_to_which_part(parts):
    if any("\0" in part for part in parts):
        with pytest.raises(UsageError, match="NUL"):
            objects.object_id("TestResult", *parts)
    else:
        assert objects.object_id("TestResult", *parts)


@pytest.mark.parametrize("table", [objects.CURRENTNESS, objects.LIFECYCLE])
def test_only_the_ways_of_the_table_are_open(table):
    for before in table:
        for after in table:
            if after == before or after in table[before]:
                objects.check_transition(table, before, after)
            else:
                with pytest.raises(UsageError, match="cannot become") as caught:
                    objects.check_transition(table, before, after)
                assert all(state in caught.value.hint for state in table[before])


def test_the_tables_name_states_that_exist():
    for table in (objects.CURRENTNESS, objects.LIFECYCLE):
        assert {after for ways in table.values() for after in ways} <= set(table)


def test_an_unknown_state_is_refused():
    with pytest.raises(UsageError, match="no state"):
        objects.check_transition(objects.CURRENTNESS, "current", "fresh")


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": b""}, {"a": {1, 2}}])
def test_what_is_no_json_is_refused(value):
    with pytest.raises(UsageError, match="must be JSON"):
        objects.as_text(value)


def test_metadata_is_kept_in_one_spelling():
    assert (
        objects.as_text({"b": 1, "a": "é"})
        == objects.as_text({"a": "é", "b": 1})
        == '{"a": "\\u00e9", "b": 1}'
    )
    assert objects.as_text({}) == ""
