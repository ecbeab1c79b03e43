import json
from datetime import UTC, datetime

import pytest

from caveman_browser import audit, errors


def test_each_write_is_one_line_of_json_in_a_private_file(home):
    now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    for name in ("Pay", "a\nb\u2028"):
        audit.note(origin="https://a.test", verb="click", role="button", name=name, outcome="ok", now=now)
    lines = (home / "browser-audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["Pay", "a\nb\u2028"]
    assert json.loads(lines[0])["time"] == "2026-03-01T09:30:00.000+00:00"
    assert (home / "browser-audit.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_log_that_is_a_link_is_refused(home, tmp_path):
    (home / "browser-audit.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(errors.BrowserRefused, match="cannot be written"):
        audit.note(origin="", verb="click", role="", name="", outcome="ok")
    assert not (tmp_path / "elsewhere").exists()
