import json
from datetime import UTC, datetime

import pytest

from caveman_browser import audit, errors

WHERE = {"origin": "https://a.test", "verb": "click", "role": "button"}


def test_each_write_is_one_line_of_json_in_a_private_file(home):
    for name in ("Pay", "a\nb\u2028"):
        with audit.entry(**WHERE, name=name, clock=lambda: datetime(2026, 3, 1, 9, 30, tzinfo=UTC)):
            pass
    rows = [json.loads(line) for line in (home / "browser-audit.jsonl").read_text().splitlines()]
    assert [row["name"] for row in rows] == ["Pay", "a\nb\u2028"]
    assert rows[0] == {**WHERE, "time": "2026-03-01T09:30:00.000+00:00", "name": "Pay", "outcome": "ok"}
    assert (home / "browser-audit.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("error", "outcome"), [(errors.WriteDenied("no"), "cave_browser_write_denied"), (KeyError(), "failed")]
)
def test_what_ends_the_attempt_is_its_outcome_and_goes_on(home, error, outcome):
    with pytest.raises(type(error)), audit.entry(**WHERE, name="Pay"):
        raise error
    assert json.loads((home / "browser-audit.jsonl").read_text())["outcome"] == outcome


def test_a_log_that_is_a_link_is_refused_before_anything_is_done(home, tmp_path):
    (home / "browser-audit.jsonl").symlink_to(tmp_path / "elsewhere")
    done = []
    with pytest.raises(errors.BrowserRefused, match="cannot be written"), audit.entry(**WHERE, name=""):
        done.append(1)
    assert not done
    assert not (tmp_path / "elsewhere").exists()
