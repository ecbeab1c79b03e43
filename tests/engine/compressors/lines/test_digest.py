"""The view of the best lines within a budget."""

from hypothesis import given, settings
from hypothesis import strategies as st

from caveman_engine.compressors.lines import digest, standouts
from caveman_engine.payload import from_text
from caveman_engine.views import Request

LINES = [f"INFO step {n} done so far" for n in range(2000)]


def view(lines, **request):
    payload = from_text("\n".join(lines))
    return digest.view(
        payload, Request(**{"query": None, "budget": 4000, **request}), standouts.digest(payload.lines), "log"
    )


def test_a_view_is_never_empty():
    assert view([""] * 50).text
    assert view(["."] * 50).text


def test_a_hard_budget_is_filled_and_a_wish_is_not():
    lines = [f"{a}{b}{c} {c}{b} {a}{c}{a}" for a in "bdfgh" for b in "aeiou" for c in "klmnp"] * 8
    assert len(view(lines, budget=3000, hard=True).text) > 1200
    assert len(view(LINES, budget=3000).text) < 500


def test_grave_lines_may_take_more_than_the_share():
    errors = [
        f"error: part {chr(97 + n % 26)}{chr(97 + n // 26)} of the {'abcdefgh'[n % 8]} tray fell"
        for n in range(150)
    ]
    shown = view([*LINES[:200], *errors], budget=60_000).text
    assert sum(line in shown for line in errors) > 60


def test_the_analysis_is_made_once_a_payload_and_forgotten_with_it():
    made = []

    def make():
        made.append(1)
        return standouts.digest(["a", "b"])

    payload = from_text("a\nb")
    assert digest.once(payload, "x", make) is digest.once(payload, "x", make)
    assert digest.once(from_text("a\nb"), "x", make) is not None
    assert len(made) == 2
    del payload
    assert "x" not in digest._last


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(["error: x", "ok", "step 1", "a b c", ""]), min_size=1, max_size=60),
    st.integers(60, 2000),
)
def test_a_hard_budget_holds_but_for_markers(lines, budget):
    found = view(lines, budget=budget, hard=True)
    kept = [line for line in found.text.splitlines() if not line.startswith("[caveman:")]
    # A gap of one short line is shown in place of its marker.
    assert sum(len(line) + 1 for line in kept) <= budget + 12 * found.markers + 12 * len(kept)
