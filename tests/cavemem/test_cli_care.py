"""The commands that look after the memory as a whole."""

import json

import pytest
from typer.testing import CliRunner

from caveman_mem import MemoryStore
from caveman_mem.cli import app


@pytest.fixture
def cli(home):
    with MemoryStore.open() as store:
        store.supersede(store.remember("the port is 1").id, "the port is 2")
    return lambda *words: CliRunner().invoke(app, list(words))


def test_export_and_import_by_commands(cli, tmp_path, monkeypatch):
    path = tmp_path / "facts.jsonl"
    path.write_text(cli("export").stdout + "nonsense\n", encoding="utf-8")
    assert cli("export", "--format", "md").stdout == "## global\n\n- the port is 2\n\n"
    monkeypatch.setenv("CAVEMAN_HOME", str(tmp_path / "other"))
    assert json.loads(cli("import", str(path), "--dry-run", "--json").stdout)["new"] == 2
    result = cli("import", str(path))
    assert result.stdout == "2 new, 0 known, 1 skipped\n"
    assert "line 3" in result.stderr
    assert cli("export").stdout + "nonsense\n" == path.read_text(encoding="utf-8")


def test_stats_as_text_and_json(cli):
    assert "facts: 2" in cli("stats").stdout
    assert "inferred" in cli("stats").stdout
    assert json.loads(cli("stats", "--json").stdout)["superseded"] == 1


def test_the_doctor_exits_1_when_something_does_not_work(cli):
    assert cli("doctor").exit_code == 0
    assert json.loads(cli("doctor", "--json").stdout)["ok"] is True
    with MemoryStore.open() as store, store.files.writing() as database:
        database.execute("UPDATE corpus SET facts = 9")
    result = cli("doctor")
    assert result.exit_code == 1
    assert "fix: caveman mem reindex" in result.stdout
    assert cli("reindex").exit_code == 0
    assert cli("doctor").exit_code == 0


def test_backup_writes_a_new_file_only(cli, tmp_path):
    path = tmp_path / "copy.db"
    assert cli("backup", str(path)).exit_code == 0
    assert path.stat().st_size > 1000
    assert cli("backup", str(path)).exception.code.startswith("cave_")
