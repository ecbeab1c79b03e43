import pytest


@pytest.mark.slow
def test_the_demo_holds(caveman):
    done = caveman("demo")
    assert done.returncode == 0, done.stdout
    assert b"FAILS" not in done.stdout
    assert done.stdout.count(b"holds:") >= 4
