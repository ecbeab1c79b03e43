"""Something to do after a time without a command. Knows neither commands nor browsers."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager


class IdleTimer:
    """Runs ``action`` under ``lock`` once ``seconds`` have passed since `start` without a `stop` (0: never)."""

    def __init__(
        self, seconds: float, lock: AbstractContextManager[object], action: Callable[[], None]
    ) -> None:
        self._seconds = seconds
        self._lock = lock
        self._action = action
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        """Begin to count. Call it with the lock held."""
        self.stop()
        if self._seconds > 0:
            self._timer = threading.Timer(self._seconds, self._fire)
            self._timer.daemon = True
            self._timer.start()

    def stop(self) -> None:
        """Count no more. Call it with the lock held: the action then does not run, even if its time has come."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fire(self) -> None:
        with self._lock:
            # A command that held the lock meanwhile has stopped this timer.
            if self._timer is threading.current_thread():
                self._timer = None
                self._action()
