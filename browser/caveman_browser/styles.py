"""The computed styles that decide what a person can see, parsed once for all boxes that share them.

Owns colours, clips and the list of styles to ask Chrome for. Knows no boxes and no pages.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

STYLES = (
    "opacity",
    "font-size",
    "-webkit-text-fill-color",
    "filter",
    "background-color",
    "background-image",
    "clip-path",
    "clip",
    "overflow-x",
    "overflow-y",
    "position",
    "cursor",
    "overlay",
    "z-index",
)
"""The computed styles to ask for, in this order."""

# A fixed box from this z-index on lies over the page, as consent bars do.
ON_TOP = 100

_COLOUR = re.compile(r"rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)")
_SRGB = re.compile(r"color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: / ([\d.]+))?\)")
_OPACITY = re.compile(r"opacity\(([\d.]+)\)")
_NUMBER = re.compile(r"-?[\d.]+")


class Style(NamedTuple):
    """The computed styles of a box. ``colour`` None: in a form that is not read; ``picture``: no plain ground."""

    opacity: float
    size: float
    colour: tuple[float, ...] | None
    ground: tuple[float, ...]
    picture: bool
    clipped_away: bool
    clips: bool
    scrolls: bool
    position: str
    pointer: bool
    on_top: bool
    raised: bool


def parse(style: Mapping[str, str]) -> Style:
    """Read the texts that Chrome gives, by property name; what is not understood hides nothing."""
    position = style["position"]
    z_index = style["z-index"]
    overflow = {style["overflow-x"], style["overflow-y"]}
    ground = _colour(style["background-color"])
    fixed = position == "fixed" and z_index.lstrip("-").isdigit() and int(z_index) >= ON_TOP
    return Style(
        float(style["opacity"] or 1) * _filtered(style["filter"]),
        float(style["font-size"].removesuffix("px") or 16),
        _colour(style["-webkit-text-fill-color"]),
        ground or (0, 0, 0, 0),
        style["background-image"] not in ("none", "") or ground is None,
        _clips_all(style["clip-path"]) or (position in ("absolute", "fixed") and _clips_all(style["clip"])),
        not overflow.isdisjoint(("hidden", "clip")),
        not overflow.isdisjoint(("auto", "scroll")),
        position,
        style["cursor"] == "pointer",
        style["overlay"] == "auto",
        fixed,
    )


def _filtered(filters: str) -> float:
    """Give the opacity that a filter leaves."""
    found = _OPACITY.search(filters)
    return float(found[1]) if found else 1.0


def _clips_all(shape: str) -> bool:
    """Tell a clip that leaves nothing: inset from both sides, a circle of no size, a rectangle of a pixel."""
    if shape in ("none", "auto", ""):
        return False
    inner = shape.partition("(")[2]
    numbers = [float(each) for each in _NUMBER.findall(inner)]
    if shape.startswith("rect("):
        return len(numbers) == 4 and (numbers[1] - numbers[3] <= 1 or numbers[2] - numbers[0] <= 1)
    if shape.startswith("inset("):
        if "%" not in inner or not numbers:
            return False
        top, right, bottom, left = (numbers * 4)[:4] if len(numbers) != 3 else [*numbers, numbers[1]]
        return top + bottom >= 100 or left + right >= 100
    if shape.startswith(("circle(", "ellipse(")):
        return bool(numbers) and numbers[0] == 0
    return shape.startswith("polygon(") and len(set(numbers)) <= 1


def _colour(text: str) -> tuple[float, ...] | None:
    """Read rgb() and color(srgb ...); None for what is written in another space."""
    if found := _COLOUR.match(text):
        return (float(found[1]), float(found[2]), float(found[3]), float(found[4] or 1))
    if found := _SRGB.match(text):
        return (*(255 * float(found[i]) for i in (1, 2, 3)), float(found[4] or 1))
    return None


def over(colour: tuple[float, ...], ground: tuple[float, ...]) -> tuple[float, ...]:
    """Blend a colour with alpha over an opaque one."""
    alpha = colour[3]
    return tuple(alpha * colour[i] + (1 - alpha) * ground[i] for i in range(3))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Give the contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: tuple[float, ...]) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
