import builtins
import contextlib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.errors import CorruptRecord, RecoveryUnavailable
from caveman_engine.recovery import codec


@pytest.fixture
def without_zstd(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name in ("zstandard", "compression"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    codec._zstd.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    yield
    monkeypatch.undo()
    codec._zstd.cache_clear()


def joined(name, chunks):
    return b"".join(codec.pieces(name, chunks, "here", checked=True))


def test_what_is_small_or_does_not_shrink_stays_raw():
    assert codec.encode(memoryview(b"")) == ("raw", [])
    assert codec.encode(memoryview(b"a" * 4095))[0] == "raw"
    assert codec.encode(memoryview(os.urandom(100_000)))[0] == "raw"


def test_what_shrinks_by_a_fifth_is_compressed():
    name, chunks = codec.encode(memoryview(b"a" * 4096))
    assert name == "zstd"
    assert sum(len(chunk.body) for chunk in chunks) < 100


def test_raw_chunks_are_views_and_no_copies():
    data = os.urandom(3_000_000)
    _, chunks = codec.encode(memoryview(data))
    assert [len(chunk.body) for chunk in chunks] == [codec.CHUNK, codec.CHUNK, 3_000_000 - 2 * codec.CHUNK]
    assert all(isinstance(chunk.body, memoryview) for chunk in chunks)


@given(st.binary(max_size=2000), st.integers(1, 2000))
def test_any_bytes_come_back(data, times):
    data *= times
    assert joined(*codec.encode(memoryview(data))) == data


@given(st.integers(0, 200), st.integers(1, 255))
def test_a_flipped_bit_of_a_compressed_chunk_is_damage(place, flip):
    name, (chunk,) = codec.encode(memoryview(b"abc def " * 1000 + bytes(range(256))))
    body = bytearray(chunk.body)
    body[place % len(body)] ^= flip
    with contextlib.suppress(CorruptRecord):
        assert joined(name, [codec.Chunk(chunk.sha256, bytes(body))]) == b"abc def " * 1000 + bytes(
            range(256)
        )


def test_without_zstd_originals_stay_raw_and_compressed_ones_say_what_is_missing(without_zstd):
    assert codec.encode(memoryview(b"a" * 10_000))[0] == "raw"
    with pytest.raises(RecoveryUnavailable, match="no zstd"):
        joined("zstd", [codec.Chunk(b"", b"")])
