import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine import choice, payload
from caveman_engine.compressors import config as subject
from caveman_engine.tokens import count
from caveman_engine.views import Request


def views(text, query=None, budget=None):
    look = payload.parse(text.encode())
    room = budget or choice.Budget.of(len(look.text), len(look.text) // 3, query, None).request.budget
    found = list(subject.COMPRESSOR.views(look, Request(query, room)))
    assert all(map(choice.is_honest, found))
    return found


def shortened(text, query=None, budget=None):
    (view,) = views(text, query, budget)
    return view


def detect(text):
    return subject.COMPRESSOR.detect(payload.parse(text.encode()))


def workflow():
    jobs = []
    for n in range(12):
        timeout = 240 if n == 7 else 80
        block = "".join(f"        make step-{k} TARGET=all\n" for k in range(8))
        jobs.append(
            f"  job-{n}:\n    runs-on: ubuntu\n    timeout: {timeout}\n    steps:\n    - name: build\n      run: |\n{block}"
        )
    return "name: CI\non: [push]\njobs:\n" + "".join(jobs)


YAML = workflow()
TOML = "[project]\nname = 'x'\nversion = '1'\n\n[tool.y]\nline = 100\n" + "".join(
    f"[tool.t{n}]\nlevel = {n}\nflag = true\n" for n in range(40)
)
INI = "; main\n[server]\nport=80\nhost = a\n" + "".join(
    f"[site{n}]\nroot=/srv/{n}\ntls=on\n" for n in range(40)
)
ENV = "".join(f"VAR_{n}=value {n}\n" for n in range(50))
HCL = "".join(f'resource "box" "b{n}" {{\n  size = {n}\n  zone = "eu"\n}}\n\n' for n in range(30))
NGINX = (
    "worker_processes auto;\nhttp {\n"
    + "".join(f"  server {{\n    listen {8000 + n};\n    root /srv/{n};\n  }}\n" for n in range(20))
    + "}\n"
)
XML = (
    '<?xml version="1.0"?>\n<project>\n'
    + "".join(
        f"  <dependency>\n    <id>lib-{n}</id>\n    <version>1.{n}</version>\n  </dependency>\n"
        for n in range(30)
    )
    + "</project>\n"
)
DIRECTIVES = "".join(
    f"# Option {n} decides on thing {n}.\n# The default is fine for most.\n\noption-{n} {n}mb\n\n"
    for n in range(40)
)


@pytest.mark.parametrize(
    "text",
    [YAML, TOML, INI, ENV, HCL, NGINX, XML, DIRECTIVES],
    ids=["YAML", "TOML", "INI", ".env", "HCL", "nginx", "XML", "directives"],
)
def test_every_syntax_is_seen_and_shortened(text):
    assert detect(text) >= 0.7
    view = shortened(text, budget=len(text) // 3)
    assert count(view.text) < 0.85 * count(text)
    lines = set(text.splitlines())
    assert all(line in lines or line.startswith("[caveman: ") for line in view.text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param('{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n', id="JSON"),
        pytest.param(
            "def f(x):\n    if x:\n        return 1\n    for y in x:\n        print(y)\n    return 2\n",
            id="Python",
        ),
        pytest.param(
            "<!doctype html>\n<html>\n<head>\n<title>t</title>\n</head>\n<body>\n<p>x</p>\n</body>\n",
            id="HTML",
        ),
        pytest.param("".join(f"2026-03-01 10:00:{n:02} INFO: step {n}\n" for n in range(50)), id="a log"),
        pytest.param(
            "# Title\n\nSome words: and more words that go on for a while here, as prose does in documents.\n\n- item one of this\n- item two\n"
            * 4,
            id="Markdown",
        ),
        pytest.param("id,name\n1,a\n2,b\n3,c\n4,d\n", id="CSV"),
        pytest.param(
            "src/a.c:12: int x;\nsrc/a.c:14: int y;\nsrc/b.c:1: int z;\nsrc/b.c:2: int w;\n", id="search hits"
        ),
    ],
)
def test_other_types_are_not_taken_for_configuration(text):
    assert detect(text) < 0.5


@pytest.mark.parametrize("text", ["", "a: 1\n", "a: 1\nb: 2\nc:\n  - d\n", YAML[:1200]])
def test_what_fits_is_left_alone(text):
    assert views(text, budget=4000) == []


POSTFIX = "".join(
    f"# The parameter number {n} says how mail is handled\n# by the daemon; see the manual for what it does.\n#\n"
    * 9
    + f"parameter_{n} = value-{n}\n\n"
    for n in range(19)
)
PYPROJECT = (
    "[build-system]\nrequires = ['x']\n\n[project]\nname = 'y'\nclassifiers = [\n"
    + "".join(f'    "Topic :: Number {n}",\n' for n in range(80))
    + "]\ndependencies = [\n"
    + "".join(f'    "package-{n} >= {n}.0", # needed\n' for n in range(40))
    + "]\n\n[tool.lint]\nselect = ['ALL']\n"
)


@pytest.mark.parametrize(
    "text", [pytest.param(POSTFIX, id="few settings"), pytest.param(PYPROJECT, id="arrays")]
)
def test_settings_among_many_comments_or_items_are_configuration(text):
    assert detect(text) >= 0.7


def test_comments_fold_before_settings():
    view = shortened(POSTFIX, budget=len(POSTFIX) // 3)
    assert all(f"parameter_{n} = value-{n}\n" in view.text for n in range(19))
    assert len(view.text) < 0.5 * len(POSTFIX)


def test_a_gap_that_costs_no_more_shown_than_marked_is_shown():
    text = "".join(f"key{n} = {'long value ' * 9 if n % 3 else 'x'}\n" for n in range(200))
    view = shortened("a = 1\nb = 2\nc = 3\n" + text, budget=2_000)
    assert view.markers < view.shown


def test_all_jobs_and_the_one_that_differs_stay():
    """cmp-49."""
    view = shortened(YAML, budget=1500)
    assert all(f"  job-{n}:\n" in view.text for n in range(12))
    assert "    timeout: 240\n" in view.text
    lines = view.text.splitlines()
    for i, line in enumerate(lines):
        if "make step-" in line and not any("make step-7" in later for later in lines[i : i + 8]):
            assert any(later.startswith("[caveman:") for later in lines[i : i + 8])


def test_anchors_documents_and_double_keys_are_shown():
    """cmp-69."""
    body = "".join(f"svc-{n}:\n  <<: *base\n  port: {8000 + n}\n" for n in range(60))
    text = (
        "base: &base\n  image: app\n  retries: 3\n"
        + body
        + "---\nkind: second\nlimit: 1\n"
        + "".join(f"opt-{n}: {n}\n" for n in range(100))
        + "limit: 2\n"
    )
    view = shortened(text, budget=1200)
    assert "&base" in view.text
    assert "\n---\n" in view.text
    assert "limit: 1\n" in view.text
    assert "limit: 2\n" in view.text


def test_parents_of_what_is_shown_are_shown():
    text = (
        "root:\n"
        + "".join(f"  part-{n}:\n    inner:\n      value: 7\n" for n in range(80))
        + "  odd:\n    inner:\n      value: 9\n"
    )
    view = shortened(text, budget=800)
    at = view.text.index("      value: 9\n")
    assert "  odd:\n    inner:\n" in view.text[:at]
    assert view.text.startswith("root:\n")


@pytest.mark.parametrize(
    ("text", "query", "answer"),
    [
        pytest.param(YAML, "timeout of job-7", "    timeout: 240\n", id="a value under a name"),
        pytest.param(
            DIRECTIVES,
            "which option decides on thing 23",
            "option-23 23mb\n",
            id="a directive by its comment",
        ),
        pytest.param(TOML, "tool t31 level", "level = 31\n", id="a key in a section"),
        pytest.param(XML, "version of lib-12", "    <version>1.12</version>\n", id="a sibling tag"),
    ],
)
def test_a_query_finds_its_line(text, query, answer):
    view = shortened(text, query, budget=900)
    assert answer in view.text
    assert len(view.text) < 1500


def test_lines_keep_their_own_ends_and_gutters():
    text = "".join(f"key-{n}: {n}\r\n" for n in range(300)).replace("key-50: 50\r\n", "key-50: 50\n")
    view = shortened(text, "key-50", budget=400)
    assert "key-50: 50\n" in view.text
    assert "key-50: 50\r\n" not in view.text


@given(st.text('ab:=-# \n\t"[]{}<>&*|', max_size=300))
def test_no_text_raises(text):
    views(text, budget=30)
    views(text, "a b", budget=30)
    detect(text)
