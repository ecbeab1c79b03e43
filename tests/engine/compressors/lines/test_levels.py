"""The scale of worth and the digest."""

from caveman_engine.compressors.lines import levels


def test_the_scale_is_in_order():
    scale = [
        levels.ROUTINE,
        levels.SOURCE,
        levels.DETAIL,
        levels.EXAMPLE,
        levels.PLAIN,
        levels.HEADING,
        levels.TROUBLE,
    ]
    scale += [levels.ERROR, levels.TOTAL, levels.FAILED_ID, levels.EXIT]
    assert scale == sorted(scale)


def test_a_score_is_never_lowered():
    found = levels.Digest([], {}, {}, [], {}, set(), set(), {}, set(), stamped=False)
    found.raise_to(3, 2.0)
    found.raise_to(3, 1.0)
    assert found.scores == {3: 2.0}
