"""What commands share: data on stdout, talk on stderr, the error's own exit status."""

import json
import sys

import pytest

from caveman_engine import console
from caveman_engine.errors import BadSetting


def failing(**_):
    raise BadSetting("CAVEMAN_X is 'lots'", where="environment", hint="a number")


def test_an_app_that_ends_well_ends_quietly(capsys):
    console.run(lambda **_: None, prog="x", args=[])
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("args", "start"), [([], "cave_bad_setting: "), (["--json"], '{"code": ')], ids=["text", "json"]
)
def test_an_error_goes_to_stderr_with_its_status(args, start, capsys):
    with pytest.raises(SystemExit) as ended:
        console.run(failing, prog="x", args=args)
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (78, "")
    assert err.startswith(start)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_command_works_with_a_closed_stream(stream, monkeypatch):
    monkeypatch.setattr(sys, stream, None)
    console.run(lambda **_: (console.write(b"data"), console.say("talk")), prog="p", args=[])


def test_json_keeps_letters_as_they_are(capsys):
    console.print_json({"größe": "漢字", "none": None})
    assert capsys.readouterr().out == '{"größe": "漢字", "none": null}\n'


def test_a_report_line_goes_to_stderr(capsys):
    console.say_json({"a": 1})
    assert json.loads(capsys.readouterr().err) == {"a": 1}


def test_bytes_go_out_unaltered(capfdbinary):
    console.write(b"\x00\xff\r\n")
    assert capfdbinary.readouterr().out == b"\x00\xff\r\n"


def test_no_spinner_where_nobody_looks(capsys):
    with console.working("working"):
        pass
    assert capsys.readouterr() == ("", "")
