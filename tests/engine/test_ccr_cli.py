import json
import os

import pytest
from typer.testing import CliRunner

from caveman_engine import ccr_cli
from caveman_engine.errors import BadSetting, ObjectTypeMismatch, UnknownHandle, UsageError
from caveman_engine.recovery import Record, RecoveryStore


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CAVEMAN_HOME", str(tmp_path / "home"))
    for name in ("CAVEMAN_CCR_DB", "CAVEMAN_CCR_MAX_BYTES", "CAVEMAN_EPHEMERAL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def handle():
    with RecoveryStore.open() as store:
        return store.put(
            Record(content_type="log", tokens_before=9, tokens_after=3, metadata={"q": "x"}), b"a log"
        )


def run(*args, stdin=None, status=0):
    done = CliRunner().invoke(ccr_cli.app, list(args), input=stdin)
    if isinstance(done.exception, Exception) and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == status, done.output
    return done


def data(*args, **kwargs):
    return json.loads(run(*args, "--json", **kwargs).stdout)


@pytest.mark.parametrize("command", ["ls", "stats", "verify"])
def test_looking_at_no_store_makes_none(command, home):
    run(command)
    assert not home.exists()


@pytest.mark.parametrize("args", [["--help"], ["gc", "--help"], ["put-object", "-h"]])
def test_help_makes_nothing(args, home):
    assert "Usage" in run(*args).stdout
    assert not home.exists()


def test_records_are_listed_by_type(handle):
    assert handle in run("ls").stdout
    assert run("ls", "--type", "json").stdout == ""
    assert [row["handle"] for row in data("ls", "--type", "log")["records"]] == [handle]


def test_a_record_is_shown_in_every_form(handle):
    for form in (handle, f"<<ccr:{handle}>>", f"ccr://{handle}"):
        shown = data("show", form)
        assert (shown["handle"], shown["metadata"], shown["original_bytes"]) == (handle, {"q": "x"}, 5)
    assert "tokens_before: 9" in run("show", handle).stdout
    with RecoveryStore.open() as store:
        store.put(Record(content_type="text"), b"a log")
    assert [view["content_type"] for view in data("show", handle)["views"]] == ["text", "log"]


def test_an_object_is_put_shown_listed_marked_and_removed(handle, tmp_path):
    args = ["--session", "s1", "--source", "pytest -q", "--depends-on", handle, "--data", '{"failed": 1}']
    name = run("put-object", "--type", "TestResult", *args, stdin="1 failed").stdout.strip()
    shown = data("show", name)
    assert (shown["object_id"], shown["type"], shown["data"], shown["dependencies"]) == (
        name,
        "TestResult",
        {"failed": 1},
        [handle],
    )
    assert name in run("ls", "--type", "TestResult").stdout
    assert data("show", name, "--type", "TestResult") == shown
    with pytest.raises(ObjectTypeMismatch):
        run("show", name, "--type", "BuildResult")
    assert [row["object_id"] for row in data("ls", "--session", "s1")["objects"]] == [name]
    assert data("ls", "--session", "s2")["objects"] == []
    assert "stale/warm" in run("mark", name, "--currentness", "stale", "--lifecycle", "warm").stdout
    run("mark", name, "--currentness", "fresh", status=2)
    assert data("rm", name, "--yes")["objects"] == [name]
    (tmp_path / "f").write_bytes(b"\xff\x00")
    made = run("put-object", "--type", "FileObservation", str(tmp_path / "f")).stdout.strip()
    with RecoveryStore.open() as store:
        assert store.get(made) == b"\xff\x00"


@pytest.mark.parametrize(
    "args",
    [["Note"], ["TestResult", "/no/file"], ["TestResult", "--data", "[1]"], ["TestResult", "--data", "{"]],
)
def test_a_bad_object_is_a_usage_error(args, home):
    with pytest.raises(UsageError):
        run("put-object", "--type", *args, stdin="x")
    assert not home.exists()


def test_removing_asks_or_wants_a_yes(handle):
    with pytest.raises(UsageError, match="nobody is there to ask"):
        run("rm", handle)
    with pytest.raises(UsageError, match="nobody is there to ask"):
        run("gc", "--older-than", "0s")
    with pytest.raises(UsageError, match="nobody is there to ask"):
        run("vacuum")
    removed = data("rm", handle, "--yes")
    assert (removed["handles"], removed["freed_bytes"], removed["erased"]) == ([handle], 15, True)
    with pytest.raises(UnknownHandle):
        run("show", handle)


def test_pinned_records_stay(handle):
    run("pin", handle)
    assert "pinned" in run("ls").stdout
    assert data("gc", "--older-than", "0s", "--yes")["handles"] == []
    run("unpin", handle)
    assert data("gc", "--older-than", "0s", "--dry-run")["handles"] == [handle]
    assert handle in run("gc", "--older-than", "0s", "--yes").stdout
    assert data("stats")["records"] == 0


@pytest.mark.parametrize("age", ["", "90", "d", "-1d", "1.5d", "90 days", "٣d", "9" * 30 + "d"])
def test_an_age_needs_a_number_and_a_unit(age):
    with pytest.raises(UsageError, match="no age"):
        run("gc", "--older-than", age, "--dry-run")


def test_verify_fails_loudly_on_damage(handle, home):
    assert "0 problems" in run("verify").stdout
    content = (home / "ccr.db").read_bytes()
    (home / "ccr.db").write_bytes(content.replace(b"a log", b"a fog"))
    assert handle in run("verify", status=1).stdout
    assert len(data("verify", status=1)["problems"]) == 1


def test_stats_say_what_counts_and_warn_from_four_fifths_on(handle, monkeypatch):
    told = data("stats")
    assert (told["records"], told["stored_bytes"], told["by_type"]["log"]) == (1, 15, [1, 9, 3])
    assert told["where"].endswith("ccr.db")
    assert run("stats").stderr == ""
    monkeypatch.setenv("CAVEMAN_CCR_MAX_BYTES", "18")
    assert "83% full" in run("stats").stderr


def test_a_bad_budget_stops_every_command(monkeypatch, home):
    monkeypatch.setenv("CAVEMAN_CCR_MAX_BYTES", "lots")
    with pytest.raises(BadSetting, match="CAVEMAN_CCR_MAX_BYTES"):
        run("ls")
    assert not home.exists()


def test_records_go_out_to_a_file_and_come_back(handle, tmp_path):
    path = str(tmp_path / "out.zip")
    assert run("export", handle, path).stdout == f"{handle}\n"
    run("rm", handle, "--yes")
    assert data("import", path)["handles"] == [handle]
    assert data("show", handle)["metadata"] == {"q": "x"}
    assert os.path.exists(path)


def test_vacuum_says_what_it_freed(handle):
    assert "bytes freed" in run("vacuum", "--yes").stdout
