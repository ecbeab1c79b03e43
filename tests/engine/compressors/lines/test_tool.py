"""The shape of a tool's table."""

from caveman_engine.compressors.lines.tool import Tool


def test_patterns_match_from_the_start_and_keep_their_order():
    tool = Tool("x", r"begin ", ((2.0, r"a+"), (1.0, r"a")))
    assert tool.proof.match("begin here")
    assert not tool.proof.match(" begin here")
    assert next(score for score, pattern in tool.patterns if pattern.match("aa")) == 2.0
