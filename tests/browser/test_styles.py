"""The styles that decide what a person can see."""

import pytest

from caveman_browser.styles import STYLES, contrast, over, parse

PLAIN = dict.fromkeys(STYLES, "") | {
    "opacity": "1",
    "font-size": "16px",
    "-webkit-text-fill-color": "rgb(0, 0, 0)",
    "filter": "none",
    "background-color": "rgba(0, 0, 0, 0)",
    "background-image": "none",
    "clip-path": "none",
    "clip": "auto",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "position": "static",
    "cursor": "auto",
    "overlay": "none",
    "z-index": "auto",
}


def style(**changed):
    return parse(PLAIN | {name.replace("_", "-"): value for name, value in changed.items()})


def test_plain_styles_hide_nothing():
    plain = style()
    assert not (plain.clipped_away)
    assert not (plain.clips)
    assert not (plain.picture)
    assert not (plain.pointer)
    assert not (plain.on_top)
    assert not (plain.raised)


@pytest.mark.parametrize(
    "shape",
    [
        "inset(100%)",
        "inset(50%)",
        "inset(0px 100% 0px 0px)",
        "circle(0px at 50% 50%)",
        "polygon(0px 0px, 0px 0px)",
    ],
)
def test_a_clip_that_leaves_nothing_is_known(shape):
    assert style(clip_path=shape).clipped_away


@pytest.mark.parametrize(
    "shape",
    [
        "inset(10%)",
        "inset(0px)",
        "inset(5px)",
        "circle(50%)",
        "polygon(0px 0px, 100% 0px, 0px 100%)",
        "url(#a)",
    ],
)
def test_a_clip_that_leaves_something_hides_nothing(shape):
    assert not style(clip_path=shape).clipped_away


def test_the_old_clip_counts_only_where_it_applies():
    assert style(clip="rect(0px, 0px, 0px, 0px)", position="absolute").clipped_away
    assert style(clip="rect(1px, 1px, 1px, 1px)", position="absolute").clipped_away
    assert not style(clip="rect(0px, 0px, 0px, 0px)").clipped_away
    assert not style(clip="rect(0px, 90px, 20px, 0px)", position="absolute").clipped_away


def test_a_colour_in_a_form_that_is_not_read_is_not_judged():
    assert style(_webkit_text_fill_color="oklch(0.5 0.1 200)").colour is None


def test_only_a_fixed_box_with_a_high_index_is_raised():
    assert style(position="fixed", z_index="9999").raised
    assert not style(position="absolute", z_index="9999").raised
    assert not style(position="fixed", z_index="auto").raised


def test_contrast_is_that_of_the_web_guidelines():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((255, 255, 255), (255, 255, 255)) == 1
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_a_colour_with_alpha_is_blended():
    assert over((0, 0, 0, 0.5), (255, 255, 255)) == (127.5, 127.5, 127.5)
