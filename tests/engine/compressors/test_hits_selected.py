"""Which hits stand in a selection."""

from caveman_engine.compressors import _hits, _hits_selected
from caveman_engine.payload import from_text
from caveman_engine.views import Request

LINES = [f"src/a{n // 20}.py:{n}:value_{n} = call({n})" for n in range(200)]


def select(lines, query=None, budget=2000):
    return _hits_selected.selected(
        from_text("\n".join(lines)), _hits.parse(lines, "numbered"), Request(query, budget), "numbered"
    )


def test_each_file_has_a_hit_and_its_count():
    view = select(LINES)
    for k in range(10):
        assert f"src/a{k}.py (20)\n" in view.text
    assert view.unit == "hits"
    assert view.total == 200


def test_files_without_room_are_named_with_their_counts_or_counted():
    view = select(LINES, budget=200)
    assert "more in" in view.text
    assert view.shown < 10


def test_the_hit_that_answers_the_question_is_shown_first():
    lines = [*LINES, "src/z.py:7:retry_limit = 5"]
    assert "src/z.py:7:retry_limit = 5\n" in select(lines, query="retry limit", budget=300).text


def test_a_word_inside_a_longer_one_is_found_as_grep_finds_it():
    lines = [*LINES, "src/z.py:7:xyzzyNEEDLEplugh"]
    assert "xyzzyNEEDLEplugh" in select(lines, query="NEEDLE", budget=300).text


def test_notices_stay():
    assert "Binary file x matches\n" in select([*LINES, "Binary file x matches"]).text
