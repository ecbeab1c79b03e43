"""The shapes that leave the memory."""

from caveman_mem.memory import Memory, hit_dict


def test_a_fact_as_json_has_every_field_and_times_that_people_read(store):
    shown = store.remember("the lamp is teal", tags=["a"], at=None).as_dict()
    assert set(shown) == set(Memory.__dataclass_fields__) - {"already_known"}
    assert shown["created_at"].startswith("2026-03-04T")
    assert shown["valid_until"] is None
    assert shown["tags"] == ["a"]


def test_a_fact_is_the_same_from_its_row_and_from_its_export(store):
    from caveman_mem import times

    memory = store.remember("the lamp is teal", tags=["a"], kind="k", session="s")
    row = memory.as_dict()
    row.update(
        {
            name: row[name] and times.exact(row[name])
            for name in ("created_at", "valid_from", "valid_until", "expires_at")
        }
    )
    assert Memory.from_export(row) == memory == store.get(memory.id)
    assert memory.current


def test_a_hit_as_json_has_every_documented_key(store):
    store.remember("the lamp is teal")
    shown = hit_dict(store.recall("lamp").hits[0])
    assert list(shown) == [
        "id", "text", "whole", "score", "matched", "created_at", "scope", "tags", "kind", "source", "tokens", "recovery_handle",
    ]  # fmt: skip
