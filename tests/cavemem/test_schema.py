"""Where the memory lies, and that its tables keep their promises."""

import os

import pytest

from caveman_engine.database import Database
from caveman_engine.errors import CavemanError
from caveman_mem import index, schema


def test_the_home_is_given_or_of_the_environment(home, tmp_path):
    assert schema.path() == str(home / "mem" / "mem.db")
    assert schema.path(str(tmp_path / "other")) == str(tmp_path / "other" / "mem" / "mem.db")
    assert schema.path("~/x") == os.path.expanduser("~/x/mem/mem.db")


def test_the_index_that_a_rebuild_makes_is_that_of_the_script():
    folder = os.path.dirname(schema.__file__)
    with open(os.path.join(folder, "sql", "001_memory.sql"), encoding="utf-8") as file:
        assert index.CREATE in file.read()


def test_the_tables_refuse_what_no_fact_is(tmp_path):
    with Database.open(str(tmp_path / "mem.db"), schema.MIGRATIONS) as database:
        with pytest.raises(CavemanError):
            database.execute(
                "INSERT INTO memory (id, scope, source, created_at, valid_from, length, text, terms)"
                " VALUES ('nonsense', 'global', 'user', 1, 1, 1, 'x', 'x')"
            )
        assert database.value("SELECT count(*) FROM corpus") == 1


def test_a_file_of_a_later_version_is_refused_and_untouched(store):
    from caveman_engine.errors import NewerSchema
    from caveman_mem import MemoryStore

    store.remember("x")
    store.files.reading().execute("PRAGMA user_version = 99")
    store.close()
    with MemoryStore.open() as later, pytest.raises(NewerSchema):
        later.recall("x")
