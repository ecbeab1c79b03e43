import os
import socket
import stat
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import hardening
from caveman_engine.errors import UnsafeStore

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes and kinds of files are POSIX")


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_a_sound_file_in_a_sound_folder_is_left_as_it_is(tmp_path):
    path = tmp_path / "a.db"
    path.write_bytes(b"x")
    path.chmod(0o600)
    hardening.harden(str(path))
    assert (mode(path), path.read_bytes()) == (0o600, b"x")


def test_a_missing_file_is_not_made(tmp_path):
    hardening.harden(str(tmp_path / "no.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_symbolic_link_is_refused_also_one_that_leads_nowhere(tmp_path, end):
    (tmp_path / f"a.db{end}").symlink_to(tmp_path / "other.db")
    with pytest.raises(UnsafeStore, match="symbolic link"):
        hardening.harden(str(tmp_path / "a.db"))
    assert not (tmp_path / "other.db").exists()


def test_a_folder_a_fifo_a_socket_and_a_device_are_refused_cmp_06(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "socket"))
    for name, word in (("folder", "folder"), ("fifo", "FIFO"), ("socket", "socket")):
        with pytest.raises(UnsafeStore, match=word):
            hardening.harden(str(tmp_path / name))
    listener.close()
    with pytest.raises(UnsafeStore, match="device"):
        hardening.harden("/dev/null")


@pytest.mark.parametrize("bits", [0o666, 0o644, 0o640, 0o604, 0o777])
def test_a_looser_mode_is_tightened_on_file_and_sidecar_cmp_06(tmp_path, bits):
    for name in ("a.db", "a.db-wal"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(bits)
    hardening.harden(str(tmp_path / "a.db"))
    assert mode(tmp_path / "a.db") == mode(tmp_path / "a.db-wal") == 0o600


@pytest.mark.parametrize("bits", [0o777, 0o775, 0o757, 0o722])
def test_a_folder_that_others_can_write_is_refused(tmp_path, bits):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(bits)
    with pytest.raises(UnsafeStore, match="others can write") as caught:
        hardening.harden(str(folder / "a.db"))
    assert "chmod go-w" in caught.value.hint


@pytest.mark.parametrize("bits", [0o700, 0o755, 0o1777])
def test_a_folder_with_the_sticky_bit_or_without_others_is_accepted(tmp_path, bits):
    folder = tmp_path / "f"
    folder.mkdir()
    folder.chmod(bits)
    hardening.harden(str(folder / "a.db"))


def test_the_folder_is_resolved_once_but_not_the_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "a.db").symlink_to("/etc/passwd")
    assert hardening.canonical(str(tmp_path / "link" / "a.db")) == str(tmp_path / "real" / "a.db")


def test_missing_folders_are_made_private_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        hardening.make_parents(str(tmp_path / "a" / "b" / "c"))
        hardening.create(str(tmp_path / "a" / "b" / "c" / "x.db"))
    finally:
        os.umask(before)
    assert [mode(tmp_path / p) for p in ("a", "a/b", "a/b/c")] == [0o700] * 3
    assert mode(tmp_path / "a/b/c/x.db") == 0o600


def test_creating_does_not_touch_a_file_that_is_there(tmp_path):
    (tmp_path / "x.db").write_bytes(b"old")
    hardening.create(str(tmp_path / "x.db"))
    assert (tmp_path / "x.db").read_bytes() == b"old"


def test_many_may_make_the_same_folders_at_once(tmp_path):
    errors = []

    def make():
        try:
            hardening.make_parents(str(tmp_path / "p" / "q" / "r"))
        except OSError as error:
            errors.append(error)

    threads = [threading.Thread(target=make) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


@given(
    st.text(
        alphabet=st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=40
    )
)
def test_a_canonical_path_stays_itself(name):
    path = hardening.canonical("/tmp/" + name)
    assert hardening.canonical(path) == path
