"""Boxes, and the windows they are seen through. Owns what clipping and scrolling do to a box; knows no page."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

# Nobody scrolls so many pixels to the right of a page to read a text there.
FAR = 9_000

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in page coordinates."""


class Window(NamedTuple):
    """Where boxes can be seen: what clips them, and beyond which lines no scrolling leads.

    ``scroller``: the visible box of the scrolling element around, whose scroll offset is not known.
    """

    clip: Box | None = None
    left: float = 0.0
    top: float = 0.0
    right: float = inf
    scroller: Box | None = None

    def clipped(self, box: Box) -> "Window":
        """Give the window of what stands in a box that clips."""
        return self._replace(clip=box if self.clip is None else meet(self.clip, box))

    def scrolling(self, box: Box, scrolled: Sequence[float] | None) -> "Window":
        """Give the window of what stands in a box that scrolls; ``scrolled`` begins with its offsets, if known."""
        if not scrolled:
            return Window(self.clip, -inf, -inf, inf, box)
        return Window(self.clip, box[0] - scrolled[0], box[1] - scrolled[1])

    def hides(self, box: Box) -> bool:
        """Tell a box that cannot be seen."""
        if box[2] < self.left or box[3] < self.top or box[0] > self.right:
            return True
        if self.clip is None or area(box) == 0:
            return False
        # The customary way to speak to screen readers alone leaves one pixel.
        shown = meet(box, self.clip)
        return shown[2] - shown[0] <= 1 or shown[3] - shown[1] <= 1

    def may_be_scrolled_to(self, box: Box) -> bool:
        """Tell a box before what the scrolling element shows: there or nowhere, as the offset says."""
        return self.scroller is not None and (box[2] < self.scroller[0] or box[3] < self.scroller[1])


def area(box: Box) -> float:
    """Give the square pixels of a box; 0 for one turned inside out."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def meet(one: Box, other: Box) -> Box:
    """Give what two boxes share; inside out when they share nothing."""
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))
