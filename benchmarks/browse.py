"""What a page costs an agent: tokens of what Chrome gives and of what is shown, and the seconds of a command.

    python benchmarks/browse.py [--runs 5] [--json]

Pages of the project's own making, and the MiniWoB++ pages when they are installed (extra ``bench``), each with its
episode started. "raw AX" is the answer of Accessibility.getFullAXTree as it comes, "HTML" the document's outer HTML,
"text" its innerText. "shown" is the whole view without a bound, references included; "query" the view of one
question with its footer. Counts are o200k_base (inferred). "cold" is a whole command that starts Chrome,
"open" the same command on a page that is open; both are processes of their own, on a machine that does nothing else.
"""

import argparse
import contextlib
import functools
import http.server
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from caveman_browser.browser import Browser, Launch, start
from caveman_browser.policy import Policy
from caveman_browser.reader import Reader
from caveman_browser.refs import RefMap
from caveman_browser.snapshot import capture
from caveman_browser.targets import Tab
from caveman_browser.view import render
from caveman_engine.recovery.pointers import handle_of
from caveman_engine.tokens import count

CITIES, STATES = ("Oslo", "Quito", "Turin", "Osaka"), ("queued", "running", "failed", "done")
COLUMNS = ("raw AX", "HTML", "text", "shown", "query")
START_EPISODE = "window.core && core.startEpisodeReal && core.startEpisodeReal(); 0"


def operations(rows: int) -> str:
    """Make a table of operations with a button and a link a row."""
    cells = "".join(
        f"<tr><td>OPS-{2000 + i}</td><td>{CITIES[i % 4]}</td><td>{STATES[i % 3]}</td><td>{i * 41 % 977} ms</td>"
        f"<td><button>Retry OPS-{2000 + i}</button> <a href='/ops/{2000 + i}'>Log</a></td></tr>"
        for i in range(rows)
    )
    heads = "".join(f"<th>{head}</th>" for head in ("Job", "Site", "State", "Took", "Action"))
    return (
        f"<title>Operations</title><h1>Operations</h1><table><thead><tr>{heads}</tr></thead>{cells}</table>"
    )


CHECKOUT = (
    "<title>Checkout</title><h1>Checkout</h1><label>Card holder <input></label>"
    "<label>Country <select><option>Norway<option>Chile</select></label>"
    "<label><input type=checkbox> Gift wrap</label><button>Pay now</button>"
)
PAGES = {
    "table, 200 rows": (operations(200), "OPS-2137"),
    "table, 300 rows": (operations(300), "OPS-2137"),
    "checkout form": (CHECKOUT, "pay"),
}


class _Pages(http.server.SimpleHTTPRequestHandler):
    """Serves the pages above under their numbers, and below /html/ the folder of MiniWoB++."""

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if not name.isdigit():
            self.path = self.path.removeprefix("/html")
            super().do_GET()
            return
        body = list(PAGES.values())[int(name)][0].encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it so
        """Say nothing."""


@contextlib.contextmanager
def served(folder: str | None) -> Iterator[str]:
    """Serve on a free loopback port; gives the address."""
    handler = functools.partial(_Pages, directory=folder or tempfile.gettempdir())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def miniwob() -> tuple[str | None, list[str]]:
    """Give the folder of MiniWoB++ and its pages' names; its package itself would import a browser driver."""
    spec = importlib.util.find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        return None, []
    folder = os.path.join(spec.submodule_search_locations[0], "html")
    names = sorted(name for name in os.listdir(os.path.join(folder, "miniwob")) if name.endswith(".html"))
    return folder, names


def _evaluate(browser: Browser, tab: Tab, expression: str) -> Any:
    params = {"expression": expression, "returnByValue": True}
    return browser.link.call("Runtime.evaluate", params, tab.session)["result"].get("value")


def measure(browser: Browser, url: str, query: str, before: str = "0") -> list[int]:
    """Give the tokens of one page in each of the `COLUMNS`; ``before`` is evaluated once it is open."""
    reader = Reader(browser, time.monotonic() + 30)
    reader.open(url)
    tab = browser.current()
    _evaluate(browser, tab, before)
    raw = browser.link.call("Accessibility.getFullAXTree", {}, tab.session)
    found = capture(browser.link.call, dict(tab.frames))
    texts = [
        json.dumps(raw, ensure_ascii=False),
        _evaluate(browser, tab, "document.documentElement.outerHTML"),
        _evaluate(browser, tab, "document.body.innerText"),
        render(found, RefMap(), max_tokens=0, asked_url=url).text,
        render(found, RefMap(), query=query, asked_url=url, handle=handle_of(found.data)).text,
    ]
    return [count(text) for text in texts]


def milliseconds(browser: Browser, url: str, runs: int) -> dict[str, float]:
    """Give the medians of the parts of one look at an open page."""
    Reader(browser, time.monotonic() + 30).open(url)
    tab = browser.current()
    parts: dict[str, list[float]] = {"capture": [], "bytes to keep": [], "view": []}
    for _ in range(runs):
        begun = time.perf_counter()
        found = capture(browser.link.call, dict(tab.frames))
        parts["capture"].append(time.perf_counter() - begun)
        begun = time.perf_counter()
        size = len(found.data)
        parts["bytes to keep"].append(time.perf_counter() - begun)
        begun = time.perf_counter()
        render(found, RefMap(), query="OPS-2137", asked_url=url, handle="ccr_" + "0" * 32)
        parts["view"].append(time.perf_counter() - begun)
    return {name: round(1000 * statistics.median(each), 1) for name, each in parts.items()} | {
        "kB": size // 1000
    }


def commands(url: str, runs: int) -> dict[str, float]:
    """Give the seconds of `caveman tools browse`, cold and on the open page."""
    home = tempfile.mkdtemp(prefix="browse-bench-")
    environment = {**os.environ, "CAVEMAN_HOME": home}
    program = [os.path.join(os.path.dirname(sys.executable), "caveman"), "tools", "browse"]

    def seconds(*arguments: str) -> float:
        begun = time.perf_counter()
        subprocess.run([*program, *arguments], env=environment, check=True, capture_output=True)
        return time.perf_counter() - begun

    try:
        cold = seconds(url, "OPS-2137")
        again = statistics.median(seconds(url, "OPS-2137") for _ in range(runs))
        stay = statistics.median(seconds("find", "OPS-2137") for _ in range(runs))
    finally:
        seconds("close")
    return {"cold": round(cold, 2), "open": round(again, 2), "same page": round(stay, 2)}


def main() -> None:
    """Run all and print."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    folder, names = miniwob()
    with served(folder) as base:
        browser = start(Policy(), Launch())
        try:
            own = {
                name: measure(browser, f"{base}/{at}", query)
                for at, (name, (_, query)) in enumerate(PAGES.items())
            }
            pages = [
                measure(browser, f"{base}/html/miniwob/{name}", "submit", START_EPISODE) for name in names
            ]
            look = milliseconds(browser, f"{base}/1", given.runs)
        finally:
            browser.close()
        found = {"tokens": own, "look at 300 rows, ms": look, "command, s": commands(f"{base}/1", given.runs)}
    if pages:
        own[f"miniwob, sum of {len(pages)}"] = [sum(column) for column in zip(*pages, strict=True)]
        own["miniwob, median"] = [round(statistics.median(column)) for column in zip(*pages, strict=True)]
    if given.json:
        print(json.dumps({"columns": COLUMNS, **found}))
        return
    print(f"{'tokens':24}" + "".join(f"{column:>10}" for column in COLUMNS))
    for name, row in own.items():
        print(f"{name:24}" + "".join(f"{each:>10,}" for each in row))
    print("look at 300 rows, ms:", look)
    print("command, s:", found["command, s"])


if __name__ == "__main__":
    main()
