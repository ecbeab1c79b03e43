import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_app.server.file_tools import FileTools, PathRefused
from caveman_engine.errors import NotFound, UsageError
from caveman_engine.tokens import count
from caveman_mem.store import MemoryStore

PATH = "/memories/notes.md"


@pytest.fixture
def run(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with MemoryStore.open() as store:
        yield lambda command, **given: FileTools(store, "s", scope=None).run(command=command, **given).text


def content(run, path=PATH):
    return "\n".join(line.partition("\t")[2] for line in run("view", path=path).split("\n"))


def test_a_file_lives_through_all_verbs(run):
    assert run("view", path="/memories") == "/memories"
    run("create", path=PATH, file_text="one\ntwo\n")
    run("str_replace", path=PATH, old_str="two", new_str="three")
    run("insert", path=PATH, insert_line=1, insert_text="between\n")
    assert content(run) == "one\nbetween\nthree\n"
    run("rename", old_path=PATH, new_path="/memories/deep/kept.md")
    assert run("view", path="/memories") == "/memories\n/memories/deep/kept.md"
    run("delete", path="/memories/deep")
    assert run("view", path="/memories") == "/memories"


def test_a_change_of_white_space_alone_is_kept(run):
    run("create", path=PATH, file_text="a  b\n")
    run("create", path=PATH, file_text="a b\n")
    assert content(run) == "a b\n"


def test_a_deleted_file_stays_away_after_a_change_of_white_space_alone(run):
    for text in ("an older version", "a  b", "a b"):
        run("create", path=PATH, file_text=text)
    assert content(run) == "a b"
    run("delete", path=PATH)
    assert run("view", path="/memories") == "/memories"


def test_a_path_with_a_private_part_is_refused_because_it_would_be_cut_out_of_it(run):
    with pytest.raises(PathRefused):
        run("create", path="/memories/<private>a.md", file_text="text")


def test_two_files_may_say_the_same(run):
    run("create", path=PATH, file_text="same")
    run("create", path="/memories/b", file_text="same")
    assert run("view", path="/memories").count("/memories/") == 2


def test_files_are_found_by_recall(run, home):
    run("create", path=PATH, file_text="The nightly backup runs at 02:30")
    with MemoryStore.open() as store:
        assert "02:30" in store.recall("when does the backup run").hits[0].text


def test_a_long_file_is_shown_to_the_bound_with_the_way_to_the_rest(run):
    run("create", path=PATH, file_text="\n".join(f"line {n} {'word ' * 20}" for n in range(2000)))
    shown = run("view", path=PATH)
    assert count(shown) <= 8000
    assert "caveman mem recover mem_" in shown.splitlines()[-1]


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../x",
        "/memories/%2e%2e/x",
        "/memories/%2E%2E/x",
        "/memories/..\\x",
        "/memories/. ./x",
        "/memories/．．/x",
        "/memories/a/../../x",
        "/memories/./x",
        "/memories//x",
        "/memories/x\0y",
        "/memories/..",
        "/etc/hostname",
        "memories/x",
        "/memoriesx/y",
        "//memories/x",
        "",
        "~/x",
    ],
)
@pytest.mark.parametrize("command", ["view", "create", "delete", "str_replace"])
def test_a_path_that_leads_elsewhere_is_refused_agt_11(run, command, path):
    with pytest.raises(PathRefused):
        run(command, path=path, file_text="x", old_str="a", new_str="b")
    with pytest.raises(PathRefused):
        run("rename", old_path=path, new_path=PATH)


def test_what_is_not_there_is_said(run):
    with pytest.raises(NotFound):
        run("view", path=PATH)
    with pytest.raises(NotFound):
        run("delete", path=PATH)


def test_an_ambiguous_replacement_is_refused(run):
    run("create", path=PATH, file_text="a a")
    with pytest.raises(UsageError):
        run("str_replace", path=PATH, old_str="a", new_str="b")


@given(st.text(max_size=30))
def test_no_path_leads_out(path):
    try:
        from caveman_app.server.file_tools import _checked

        plain = _checked("/memories/" + path)
    except PathRefused:
        return
    assert plain == "/memories/" + path.removesuffix("/") or plain == "/memories"
    assert ".." not in plain.split("/")
