"""A home of the tests' own, pages on loopback, and one real Chromium a module."""

import os
import re

import pytest
from pytest_httpserver import HTTPServer


@pytest.fixture(scope="session", autouse=True)
def browser_home(tmp_path_factory):
    """Nothing of these tests touches the person's own home."""
    patch = pytest.MonkeyPatch()
    home = tmp_path_factory.mktemp("home", numbered=True)
    home.chmod(0o700)
    patch.setenv("CAVEMAN_HOME", str(home))
    for name in [name for name in os.environ if name.startswith("CAVEMAN_") and name != "CAVEMAN_HOME"]:
        patch.delenv(name)
    yield str(home)
    patch.undo()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A fresh home for one test."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("CAVEMAN_HOME", str(folder))
    return folder


@pytest.fixture(scope="module")
def httpserver():
    # Chrome opens connections ahead of need: a server of one thread would wait on an idle one.
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture(scope="module")
def other_server():
    """A second origin."""
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture(scope="module")
def chrome():
    """A session on a real Chromium with every verb granted."""
    from caveman_browser import grants
    from caveman_browser.session import Session

    session = Session(allow=grants.VERBS, idle=0)
    yield session
    session.close()


@pytest.fixture
def serve(httpserver):
    """Serve pages by path and give the address of the first; what was served before is gone."""

    def serve(first="", /, **pages):
        httpserver.clear()
        for path, body in {"page": first, **pages}.items():
            httpserver.expect_request(f"/{path}").respond_with_data(
                body, content_type="text/html; charset=utf-8"
            )
        return httpserver.url_for("/page")

    return serve


@pytest.fixture
def show(chrome, serve):
    """Serve a body and give the reply of a view of it."""
    return lambda body, query=None, **more: chrome.snapshot(serve(body), query, **more)


@pytest.fixture
def ref_of():
    """Give the reference that stands before ``text`` in a view."""
    return lambda reply, text: re.search(r"\[(e\d+)\][^\n\[]*?" + re.escape(text), reply.text)[1]


@pytest.fixture
def evaluate(chrome):
    """Give the value of an expression on the current page."""
    return lambda expression: chrome.evaluate(expression).data["value"]


@pytest.fixture(scope="session")
def page_of():
    """Give a function that makes the capture of a page from nodes, without Chrome. Its frame is called F."""
    from caveman_browser.snapshot import Capture, Frame
    from caveman_engine.axnode import Node
    from caveman_engine.axtree import Tree

    def page_of(*children, loader="L1", url="http://x.example/", title="Title", **counts):
        root = Node("page", title, frame="F", backend=1, children=list(children))
        document = {"url": url, "frames": [{"id": "F"}]}
        return Capture("F", url, title, {"F": Frame("S", loader)}, document, Tree(root, **counts))

    return page_of


@pytest.fixture(scope="session")
def element():
    """Give a function that makes an element of frame F."""
    from caveman_engine.axnode import Node

    return lambda role, name, backend, **more: Node(role, name, frame="F", backend=backend, **more)
