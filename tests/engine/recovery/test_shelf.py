"""What both shelves promise to the store above them, beyond what the store's own suite sees."""

from caveman_engine.recovery.codec import Chunk
from caveman_engine.recovery.shelf import Original, ViewRow

HANDLE = "ccr_" + "a" * 32


def add(shelf, handle=HANDLE, bodies=(b"one", b"two", b"three"), seen_at=1):
    size = sum(map(len, bodies))
    with shelf.writing():
        shelf.write_original(
            Original(handle, b"\0" * 32, "raw", size, size, 1, seen_at),
            [Chunk(bytes(32), body) for body in bodies],
        )


def bodies(chunks):
    return [bytes(chunk.body) for chunk in chunks]


def test_an_empty_shelf_answers_every_question(shelf):
    assert shelf.original(HANDLE) is None
    assert (
        list(shelf.chunks(HANDLE))
        == list(shelf.views())
        == list(shelf.objects())
        == list(shelf.originals())
        == []
    )
    assert (shelf.used(), shelf.balance(), shelf.physical_bytes()) == (0, (0, 0), 0)
    assert shelf.totals() == (0, 0, {})
    assert shelf.problems() == []


def test_chunks_come_in_order_and_by_number(shelf):
    add(shelf)
    assert bodies(shelf.chunks(HANDLE)) == [b"one", b"two", b"three"]
    assert bodies(shelf.chunks(HANDLE, 1)) == [b"two", b"three"]
    assert bodies(shelf.chunks(HANDLE, 1, 1)) == [b"two"]
    assert bodies(shelf.chunks(HANDLE, 3, 9)) == []


def test_a_row_is_replaced_with_its_chunks_or_without(shelf):
    add(shelf)
    add(shelf, bodies=(b"new",))
    assert bodies(shelf.chunks(HANDLE)) == [b"new"]
    with shelf.writing():
        shelf.write_original(Original(HANDLE, b"\1" * 32, "raw", 3, 3, 1, 9, pinned=True), None)
    assert bodies(shelf.chunks(HANDLE)) == [b"new"]
    assert (shelf.original(HANDLE).pinned, shelf.original(HANDLE).sha256) == (True, b"\1" * 32)


def test_the_latest_put_comes_first(shelf):
    for letter, seen in (("a", 5), ("b", 9), ("c", 5)):
        add(shelf, "ccr_" + letter * 32, seen_at=seen)
    assert [row.handle[-1] for row in shelf.originals()] == ["b", "c", "a"]


def test_views_come_latest_first_also_when_the_clock_stands(shelf):
    add(shelf)
    with shelf.writing():
        for name, at in (("x", 5), ("y", 5), ("z", 4)):
            shelf.add_view(HANDLE, ViewRow(name, "log", "log", 1, 1, 1, "", at))
    assert [view.view_id for _, view in shelf.views(HANDLE)] == ["y", "x", "z"]
