import dataclasses

import pytest

import caveman_engine.recovery as face
from caveman_engine.recovery.records import Record, StoreStats, TypedObject


def test_a_record_may_be_written_with_what_the_caller_knows():
    record = Record(
        content_type="json",
        compressor="json",
        tokens_before=9,
        tokens_after=3,
        view_bytes=7,
        metadata={"a": 1},
    )
    assert (record.handle, record.view_id, record.pinned) == ("", "", False)
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.handle = "x"


def test_two_records_never_share_their_metadata():
    assert Record().metadata is not Record().metadata


def test_the_face_gives_the_shapes_and_nothing_else():
    assert (face.Record, face.TypedObject, face.StoreStats) == (Record, TypedObject, StoreStats)
    assert face.RecoveryStore.__name__ == "RecoveryStore"
    with pytest.raises(AttributeError):
        _ = face.Nothing
