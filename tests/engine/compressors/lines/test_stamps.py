"""Time stamps at the beginning of lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveman_engine.compressors.lines import stamps


@pytest.mark.parametrize(
    "line",
    [
        "10 files changed",
        "ERROR disk full",
        "a.c:12:30: error",
        "v1.2.3 released",
        "",
        "2026",
        "192.168.1.1 GET /",
    ],
)
def test_lines_without_a_stamp_stay_whole(line):
    assert stamps.strip(line) == line


@pytest.mark.parametrize(
    "stamp",
    [
        "2026-03-01T10:00:00.123Z",
        "2026-03-01 10:00:00,123",
        "2024-05-01T10:00:00.1234567Z",
        "2005-06-03-15.42.50.675872",
        "17/06/09 20:10:40",
        "[10/Oct/2000:13:55:36 -0700]",
        "Dec 10 06:55:46",
        "[Sun Dec 04 04:47:44 2005]",
        "03-17 16:13:38.811",
        "[10.30 16:49:06]",
        "20171223-22:15:29:606|",
        "081109 203518",
        "[12:00:01]",
        "1117838570",
        "[    0.000000]",
        "<134>1 2026-03-01T10:00:00Z",
        "web_1  | 2026-03-01 10:00:00",
    ],
)
def test_the_stamp_of_each_family_of_logs_is_taken_off(stamp):
    assert stamps.strip(f"{stamp} ERROR disk full") == "ERROR disk full"


def test_a_line_that_is_only_a_stamp_stays():
    line = "2026-03-01 10:00:00"
    assert stamps.strip(line) == line


def test_the_share_counts_lines_that_are_not_empty():
    assert stamps.share(["10:00:01 a", "", "b", "10:00:02 c", ""]) == pytest.approx(2 / 3)
    assert stamps.share([]) == 0.0


@given(st.text(max_size=60))
def test_stripping_gives_an_end_of_the_line(line):
    assert line.endswith(stamps.strip(line))
