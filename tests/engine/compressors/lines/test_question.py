"""What a question asks of the lines."""

from caveman_engine.compressors.lines import question
from caveman_engine.compressors.lines.standouts import digest

LINES = [f"INFO worker {n} sends heartbeat to main queue" for n in range(200)]


def test_words_of_people_bring_those_of_machines():
    assert question.expanded("port of the cache") == "port of the cache"
    assert "accepted" in question.expanded("who logged in successfully").split()


def test_a_question_without_a_hit_scores_nothing():
    assert question.scores(digest(LINES), "zebra crossing") == ({}, 0.0)


def test_the_line_that_holds_the_words_comes_first():
    lines = [*LINES, "cache cluster listens on port 7001", *LINES]
    scores, covered = question.scores(digest(lines), "cache port")
    assert max(scores, key=scores.get) == 200
    assert covered == 1.0


def test_a_failure_is_found_by_what_leads_to_it():
    lines = [
        *LINES,
        "  7) page of the bakery",
        "     shows the opening hours:",
        "",
        "     TypeError: x is null",
        *LINES,
    ]
    scores, _ = question.scores(digest(lines), "why does the bakery page not show the hours")
    assert scores[203] > 5


def test_first_and_last_look_at_the_ends():
    scores, _ = question.scores(digest(LINES), "what was last")
    assert scores[199] > scores.get(100, 0.0)
    scores, _ = question.scores(digest(LINES), "what came first")
    assert scores[0] > scores.get(100, 0.0)
