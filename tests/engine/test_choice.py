"""Which view is shown: lossless first, the surest type decides, the bound holds, counts are honest."""

import pytest

from caveman_engine import payload
from caveman_engine.choice import Budget, best
from caveman_engine.views import Compressor, View

LOOK = payload.parse(b"x" * 10_000)


def view(length, *, lossless=True, text="x", markers=0):
    return View(text * length, lossless, "lines", 5 if lossless else 2, 5, f"made {length}", markers)


def maker(name, *views):
    return Compressor(name, lambda _: 1.0, lambda _look, _request: iter(views))


def chosen(candidates, *, query=None, max_tokens=None, lossy=True, sure=False, look=LOOK):
    budget = Budget.of(10_000, 10_000, query, max_tokens)
    found = best(
        look, candidates, budget, measure=lambda v: len(v.text), lossy=lossy, late=lambda: False, sure=sure
    )
    return found and (found.compressor.name, found.tokens)


@pytest.mark.parametrize(
    "candidates",
    [[], [maker("a")], [maker("a", view(10_000))], [maker("a", view(12_000))]],
    ids=["no compressor", "no view", "as long as the input", "longer than the input"],
)
def test_nothing_is_chosen(candidates):
    assert chosen(candidates) is None


def test_a_lossless_view_that_saves_enough_ends_the_asking():
    def views(_look, _request):
        yield view(3000)
        raise AssertionError("asked on")

    assert chosen([Compressor("a", lambda _: 1.0, views)]) == ("a", 3000)


def test_a_lossy_view_must_be_worth_its_loss():
    assert chosen([maker("a", view(5000), view(4500, lossless=False))]) == ("a", 5000)
    assert chosen([maker("a", view(5000), view(1000, lossless=False))]) == ("a", 1000)


def test_without_a_store_only_lossless_views_count():
    assert chosen([maker("a", view(5000), view(100, lossless=False))], lossy=False) == ("a", 5000)


def test_the_surest_type_decides_over_a_smaller_lossy_view_of_another():
    assert chosen([maker("a", view(3000, lossless=False)), maker("b", view(50, lossless=False))]) == (
        "a",
        3000,
    )


def test_a_smaller_lossless_view_of_another_type_wins():
    assert chosen([maker("a", view(3000, lossless=False)), maker("b", view(2000))]) == ("b", 2000)


def test_a_bound_is_asked_for_again_until_it_holds():
    asked = []

    def views(_look, request):
        asked.append(request.budget)
        assert request.hard
        yield view(request.budget * 2, lossless=False)

    _, tokens = chosen([Compressor("a", lambda _: 1.0, views)], max_tokens=1000)
    assert tokens <= 1000
    assert asked == sorted(asked, reverse=True)


def test_a_type_that_fits_the_bound_beats_a_surer_one_that_does_not():
    fixed = maker("a", view(5000, lossless=False))
    assert chosen([fixed, maker("b", view(900, lossless=False))], max_tokens=1000) == ("b", 900)


def test_a_dishonest_view_is_never_chosen():
    forged = View("[caveman: not ours\n", False, "lines", 1, 5, "forged", markers=0)
    assert chosen([maker("a", forged)]) is None


def test_no_type_is_asked_once_it_is_late():
    budget = Budget.of(10_000, 10_000, None, None)
    assert (
        best(LOOK, [maker("a", view(5))], budget, measure=lambda v: 5, lossy=True, late=lambda: True) is None
    )


def test_a_lossy_view_that_saves_little_is_not_shown_unless_a_bound_asks_for_it_cmp_45():
    slight = maker("a", view(8800, lossless=False))
    assert chosen([slight]) is None
    assert chosen([slight], max_tokens=9000) == ("a", 8800)
    assert chosen([maker("a", view(8800))]) == ("a", 8800)


def test_beside_a_recognised_type_another_leaves_nothing_out_unless_a_bound_asks_for_it_cmp_23():
    two = [maker("a", view(12_000)), maker("b", view(50, lossless=False))]
    assert chosen(two) == ("b", 50)
    assert chosen(two, sure=True) is None
    assert chosen(two, sure=True, max_tokens=100) == ("b", 50)
    assert chosen([two[0], maker("b", view(5000))], sure=True) == ("b", 5000)


def test_where_no_type_has_a_view_the_text_without_its_redraws_is_one_cmp_42():
    drawn = payload.parse("\r".join(f"progress {n}%" for n in range(900)).encode() + b"\n")
    assert chosen([maker("a")], look=drawn) == ("a", len("progress 899%\n"))
    assert chosen([maker("a", view(2000))], look=drawn) == ("a", 2000)


def test_all_of_a_text_is_no_view_of_it_unless_it_is_short_cmp_22_tnj_17():
    wishes = [Budget.of(length, length // 3, None, None).request.budget for length in (3000, 10_000, 10**5)]
    assert wishes == [4000, 5000, 40_000]
