import threading
import time

from caveman_browser.idle import IdleTimer


def test_it_fires_once_after_its_time():
    fired = threading.Event()
    lock = threading.Lock()
    timer = IdleTimer(0.05, lock, fired.set)
    with lock:
        timer.start()
    assert fired.wait(5)


def test_a_command_that_stops_it_while_it_waits_for_the_lock_wins():
    fired = []
    lock = threading.Lock()
    timer = IdleTimer(0.02, lock, lambda: fired.append(1))
    with lock:
        timer.start()
        time.sleep(0.2)
        timer.stop()
    time.sleep(0.1)
    assert not fired


def test_no_time_means_never():
    timer = IdleTimer(0, threading.Lock(), lambda: 1 / 0)
    timer.start()
    assert timer._timer is None
