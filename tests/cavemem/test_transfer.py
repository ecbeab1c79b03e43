"""Export and import."""

import json

import pytest

from caveman_engine.errors import UsageError
from caveman_mem import MemoryStore
from caveman_mem.errors import BadImport


@pytest.fixture
def other(tmp_path, clock):
    with MemoryStore.open(str(tmp_path / "other"), clock=clock) as opened:
        yield opened


def write(tmp_path, data):
    path = tmp_path / "facts.jsonl"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


def test_an_empty_memory_exports_nothing(store):
    assert list(store.export()) == list(store.export("md")) == []


def test_an_unknown_format_is_a_usage_error(store):
    with pytest.raises(UsageError):
        list(store.export("csv"))


def test_mem_60_export_wipe_import_gives_the_same_list_and_histories(store, other, tmp_path):
    notes = [store.remember(f"note {i}", tags=[f"t{i}"], session="s") for i in range(1, 31)]
    for i in (3, 6, 9):
        new = store.supersede(notes[i - 1].id, f"note {i} v2")
        store.supersede(new.id, f"note {i} v3")
    store.forget(notes[11].id, notes[14].id)
    store.edit(notes[0].id, pinned=True, expires="2030-01-01")
    store.remember("---\ntitle: x\n---\nbody\n", scope="elsewhere")
    path = write(tmp_path, "".join(store.export()))
    done = other.import_(path)
    assert (done.new, done.known, done.skipped) == (35, 0, [])
    assert other.list(all_scopes=True, superseded=True) == store.list(all_scopes=True, superseded=True)
    assert other.list() == store.list()
    for memory in store.list(superseded=True):
        assert other.history(memory.id) == store.history(memory.id)
    assert [hit.id for hit in other.recall("note 6").hits] == [hit.id for hit in store.recall("note 6").hits]
    assert other.import_(path).known == 35
    assert "".join(other.export()) == "".join(store.export())


def test_mem_33_a_cut_last_line_is_named_and_the_others_land(store, tmp_path):
    lines = "".join(json.dumps({"text": f"fact {i}"}) + "\n" for i in range(1, 6))
    done = store.import_(write(tmp_path, lines[:-8]))
    assert done.new == 4
    assert [number for number, _ in done.skipped] == [5]
    assert len(store.list()) == 4
    assert store.recall("fact 2").hits
    assert store.list()[0].source == "import:facts.jsonl"


def test_mem_33b_odd_but_readable_files_are_read(store, tmp_path):
    lines = [
        b'{"text": "one"}',
        b'{"text": "two"}',
        b'{"text": "x"',
        b'{"text": "four"}',
        b"",
        b'{"text": "six"}',
        b'{"text": "seven"}',
    ]
    done = store.import_(write(tmp_path, b"\xef\xbb\xbf" + b"\r\n".join(lines)))
    assert [number for number, _ in done.skipped] == [3]
    assert [memory.text for memory in store.list()] == ["one", "two", "four", "six", "seven"]


@pytest.mark.parametrize(
    "line",
    [
        '{"text": 1}', "[]", '"x"', '{"text": "x", "tags": "t"}', '{"text": "x", "created_at": "soon"}', '{"text": "x", "scope": 1}',
        '{"text": "x", "id": "mem_0000000000000000", "scope": "a"}', '{"text": "x", "id": "mem_0000000000000000"}', "\xff",
        '{"text": "token is ghp_' + "a" * 36 + '"}', '{"text": " "}', '{"text": "\\ud800"}',
        '{"text": "x", "tags": ["ghp_' + "a" * 36 + '"]}', "[" * 100_000,
        '{"text": "x", "id": "mem_d7d9a0f4ac1b3b39", "scope": "a", "created_at": "2026-01-01T00:00:00Z", "occurrence": "0"}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_fact_is_skipped_with_its_reason(store, tmp_path, line):
    done = store.import_(write(tmp_path, line.encode("latin-1") + b'\n{"text": "good"}\n'))
    assert done.new == 1
    assert done.skipped[0][0] == 1
    assert done.skipped[0][1]
    assert [memory.text for memory in store.list()] == ["good"]


def test_a_file_without_a_single_fact_is_an_error(store, tmp_path, home):
    with pytest.raises(BadImport, match="line 1"):
        store.import_(write(tmp_path, "nonsense\n"))
    with pytest.raises(BadImport):
        store.import_(str(tmp_path / "missing"))
    assert not home.exists()


def test_a_dry_run_says_what_would_happen_and_writes_nothing(store, tmp_path, home):
    path = write(tmp_path, '{"text": "one"}\n{"text": "two"}\n')
    done = store.import_(path, dry_run=True)
    assert (done.new, done.known) == (2, 0)
    assert not home.exists()
    store.import_(path)
    assert store.import_(path, dry_run=True).known == 2


def test_the_bullets_of_an_agents_notes_become_facts(store, tmp_path):
    path = write(
        tmp_path,
        "# Notes\n\nIntro.\n\n- use tabs\n- the port\n  is 7001\n\n* node 22\n\n```\n- not this\n```\ntext\n  + indented\n",
    )
    assert store.import_(path, markdown=True).new == 4
    assert [memory.text for memory in store.list()] == [
        "use tabs",
        "the port\nis 7001",
        "node 22",
        "indented",
    ]


def test_markdown_shows_current_facts_by_scope(store):
    store.remember("one\ntwo", scope="b")
    store.supersede(store.remember("old", scope="a").id, "new")
    assert "".join(store.export("md")) == "## a\n\n- new\n\n## b\n\n- one\n  two\n\n"
