"""Finding Chrome on three systems, and a Chrome process of our own behind its debugging pipe.

Owns the command line and the process. Knows nothing of pages.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from caveman_browser import errors
from caveman_browser.profiles import Profile
from caveman_browser.transport import PipeTransport
from caveman_engine import config

VARIABLE = "CAVEMAN_BROWSE_CHROME"
_NAMES = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "msedge",
    "brave-browser",
    "brave",
)
_MAC = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)
_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)

# Quiet: no first-run pages, no updates, no requests of the browser's own. Awake: a page behind another one runs on.
_FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-search-engine-choice-screen",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication",
    "--metrics-recording-only",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--window-size=1280,800",
)


def find() -> str:
    """Give the path of a Chrome: the setting's, else the first of the usual places. Raises `ChromeNotFound`."""
    setting = config.load().setting("browser.chrome")
    if setting.value:
        path = shutil.which(os.path.expanduser(str(setting.value)))
        if path is None:
            what = f"{setting.value!r} is no program that can be run"
            raise errors.ChromeNotFound(what, where=setting.source, hint="set it to the path of a Chrome")
        return path
    for candidate in _candidates():
        if path := shutil.which(candidate):
            return path
    raise errors.ChromeNotFound(
        "no Chrome, Chromium, Edge or Brave was found",
        hint=f"install Chrome or Chromium, or set {VARIABLE} to the path of one",
    )


def version(path: str) -> str:
    """Give what the program says of its version, such as ``Chromium 156.0.8078.114``."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError) as trouble:
        raise errors.ChromeFailed(f"{path} --version: {trouble}") from trouble
    return answer.stdout.strip()


def _candidates() -> list[str]:
    if sys.platform == "darwin":
        roots = ("/Applications", os.path.expanduser("~/Applications"))
        return [os.path.join(root, name) for name in _MAC for root in roots]
    if sys.platform == "win32":
        roots = tuple(
            os.environ.get(name, "") for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        )
        return [os.path.join(root, name) for name in _WINDOWS for root in roots if root]
    return list(_NAMES)


@dataclass(slots=True)
class Chrome:
    """A running Chrome of ours. ``notes``: what a person should know of how it runs."""

    transport: PipeTransport
    profile: Profile
    pid: int
    notes: list[str]
    _process: "subprocess.Popen[bytes] | None" = None

    def running(self) -> bool:
        """Tell whether the process is still there; one that has ended is reaped."""
        if sys.platform == "win32":
            return self._process is not None and self._process.poll() is None
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] == 0
        except ChildProcessError:
            return False

    def close(self) -> None:
        """End the process and its children, then let its profile go. The pipe's end asks; a kill makes sure."""
        self.transport.close()
        until = time.monotonic() + 3
        while self.running() and time.monotonic() < until:
            time.sleep(0.01)
        self._kill()
        self.profile.release()

    def _kill(self) -> None:
        if sys.platform == "win32":
            if self._process is not None:
                self._process.kill()
                self._process.wait()
        else:
            # The whole group: a child that outlived its browser goes with it.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pid, 0)


def launch(profile: Profile, *, headful: bool = False, extra: Sequence[str] = ()) -> Chrome:
    """Start a Chrome behind a pipe. Raises `ChromeNotFound`, `ChromeFailed`; lets the profile go when it fails."""
    try:
        path = find()
        arguments, notes = command_line(profile.path, headful=headful, extra=extra)
        transport, pid, process = _spawn(path, arguments)
    except OSError as trouble:
        profile.release()
        raise errors.ChromeFailed(f"Chrome did not start: {trouble}") from trouble
    except errors.BrowserError:
        profile.release()
        raise
    notes = [note for note in (profile.note, *notes) if note]
    return Chrome(transport, profile, pid, notes, process)


def command_line(profile: str, *, headful: bool, extra: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """Give Chrome's arguments, and notes on those that a person should know of."""
    arguments = ["--remote-debugging-pipe", f"--user-data-dir={profile}", *_FLAGS, *extra]
    notes: list[str] = []
    if not headful:
        arguments.append("--headless")
    if sys.platform == "linux" and os.geteuid() == 0:
        arguments.append("--no-sandbox")
        notes.append("running as root: Chrome's sandbox is off")
    return [*arguments, "about:blank"], notes


_Started = tuple[PipeTransport, int, "subprocess.Popen[bytes] | None"]


if sys.platform == "win32":

    def _spawn(path: str, arguments: list[str]) -> _Started:
        """Start with the pipe's handles named on the command line, as Chrome on Windows wants them."""
        import msvcrt

        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        handles = [msvcrt.get_osfhandle(fd) for fd in (theirs_read, theirs_write)]
        for handle in handles:
            os.set_handle_inheritable(handle, True)
        startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": handles})
        pipes = f"--remote-debugging-io-pipes={handles[0]},{handles[1]}"
        process = subprocess.Popen([path, pipes, *arguments], startupinfo=startup)
        os.close(theirs_read)
        os.close(theirs_write)
        return PipeTransport(ours_read, ours_write), process.pid, process

else:

    def _spawn(path: str, arguments: list[str]) -> _Started:
        """Start with the pipe at descriptors 3 and 4, where Chrome looks for it, in a process group of its own."""
        import fcntl

        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        # Above 4, so that moving one into place cannot overwrite the other.
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (theirs_read, theirs_write)]
        try:
            pid = os.posix_spawn(
                path,
                [path, *arguments],
                os.environ,
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_DUP2, high[0], 3),
                    (os.POSIX_SPAWN_DUP2, high[1], 4),
                ],
                setpgroup=0,
            )
        except OSError:
            os.close(ours_read)
            os.close(ours_write)
            raise
        finally:
            for descriptor in (theirs_read, theirs_write, *high):
                os.close(descriptor)
        return PipeTransport(ours_read, ours_write), pid, None
