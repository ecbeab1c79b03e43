import os
import subprocess
import sys

import pytest

from caveman_browser import errors, profiles


def test_a_temporary_profile_goes_with_its_browser(home):
    profile = profiles.take(None)
    assert os.stat(profile.path).st_mode & 0o777 == 0o700
    profile.release()
    assert not os.path.exists(profile.path)


def test_a_named_profile_stays_and_loses_the_locks_of_a_killed_browser(home):
    profile = profiles.take("work")
    os.symlink("otherhost-123", os.path.join(profile.path, "SingletonLock"))
    profile.release()
    again = profiles.take("work")
    assert (again.path, again.note) == (profile.path, None)
    assert not os.path.lexists(os.path.join(again.path, "SingletonLock"))
    again.release()


def test_brw_49_a_profile_in_use_gets_a_note_and_a_temporary_one(home):
    first, second = profiles.take("work"), profiles.take("work")
    assert second.temporary
    assert "work is in use" in second.note
    first.release()
    second.release()


def test_a_sweep_takes_what_a_killed_process_left_and_nothing_in_use(home):
    script = "from caveman_browser import profiles; import os, signal; profiles.take(None); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", script], check=False)
    held = profiles.take(None)
    assert len(os.listdir(home / "browser" / "temporary")) == 2
    assert profiles.sweep() == 1
    assert os.path.isdir(held.path)
    held.release()


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".hidden", "x" * 65, "a b"])
def test_a_name_that_could_leave_the_folder_is_refused(home, name):
    with pytest.raises(errors.BadRequest):
        profiles.check_name(name)
