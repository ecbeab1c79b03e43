"""Times in and out, to the nanosecond, in the user's zone."""

import time
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.errors import UsageError
from caveman_mem import times

NOW = int(datetime(2026, 3, 4, 17, tzinfo=UTC).timestamp()) * 10**9


@pytest.fixture
def new_york(monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@given(st.integers(0, 4_000_000_000 * 10**9))
def test_a_time_that_was_shown_is_read_back_exactly(nanoseconds):
    assert times.exact(times.shown(nanoseconds)) == nanoseconds


def test_no_time_is_shown_as_none():
    assert times.shown(None) is None


@pytest.mark.parametrize("text", ["", "yesterday", "2026-03-04T09:30:00", "2026-13-01T00:00:00Z", "12"])
def test_what_is_no_time_with_a_zone_is_not_read_as_one(text):
    with pytest.raises(ValueError):
        times.exact(text)


@pytest.mark.parametrize(
    ("said", "end", "utc"),
    [
        ("2026-03-03", False, "2026-03-03T05:00"),
        ("2026-03-03", True, "2026-03-04T05:00"),
        ("yesterday", False, "2026-03-03T05:00"),
        ("today", True, "2026-03-05T05:00"),
        ("2 days ago", False, "2026-03-02T05:00"),
        ("1 week ago", False, "2026-02-25T05:00"),
        ("2026-03-08", True, "2026-03-09T04:00"),
        ("2026-03-04T09:30", False, "2026-03-04T14:30"),
        ("2026-03-04T09:30:00Z", False, "2026-03-04T09:30"),
        (date(2026, 3, 3), False, "2026-03-03T05:00"),
        (datetime(2026, 3, 3, 12, tzinfo=UTC), False, "2026-03-03T12:00"),
        ("now", False, "2026-03-04T17:00"),
    ],
)
def test_a_day_is_a_day_of_the_users_zone(new_york, said, end, utc):
    expected = int(datetime.fromisoformat(utc).replace(tzinfo=UTC).timestamp()) * 10**9
    assert times.moment(said, NOW, end=end) == expected


@pytest.mark.parametrize(
    "said", ["", "soon", "2026-02-30", "-1 days ago", "999999999999 days ago", "0000-00-00"]
)
def test_what_is_no_time_is_a_usage_error_with_examples(said):
    with pytest.raises(UsageError, match="is no time"):
        times.moment(said, NOW)
