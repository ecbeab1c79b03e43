"""Which project a folder belongs to."""

import os
import subprocess

import pytest

from caveman_mem.scopes import scope_here


@pytest.fixture
def repository(home, tmp_path):
    folder = tmp_path / "thing"
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def test_outside_a_repository_the_scope_is_global(home):
    assert scope_here() == "global"


def test_the_environment_names_the_scope(home, monkeypatch):
    monkeypatch.setenv("CAVEMAN_SCOPE", " mine ")
    assert scope_here() == "mine"


def test_a_project_is_its_folders_name_and_eight_hex_digits(repository):
    name, _, digits = scope_here(str(repository)).rpartition("-")
    assert name == "thing"
    assert len(digits) == 8
    assert int(digits, 16) >= 0


def test_a_folder_below_and_a_worktree_share_the_scope(repository, tmp_path):
    (repository / "a" / "b").mkdir(parents=True)
    git = ["git", "-C", repository, "-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", tmp_path / "tree"], check=True)
    assert (
        scope_here(str(repository / "a" / "b"))
        == scope_here(str(tmp_path / "tree"))
        == scope_here(str(repository))
    )


def test_mem_46b_a_project_in_another_place_has_another_scope(repository, tmp_path):
    other = tmp_path / "elsewhere" / "thing"
    subprocess.run(["git", "init", "-q", other], check=True)
    assert scope_here(str(other)) != scope_here(str(repository))


def test_a_folder_whose_name_is_no_text_has_a_scope_that_is(tmp_path):
    odd = os.path.join(os.fsencode(tmp_path), b"a\xff\nb")
    try:
        os.makedirs(os.path.join(odd, b".git"))
    except OSError:
        pytest.skip("this file system takes no such names")
    assert scope_here(os.fsdecode(odd)).rpartition("-")[0] == "a__b"
