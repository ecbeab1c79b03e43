"""What was found out about one document beyond its accessibility tree. Owns the shape; ids are backend node ids."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Look:
    """One document's findings.

    ``frames``: id of a frame's element -> whether a person sees it. ``owners``: id of a frame -> its element.
    ``scrolled``: a box lies before what a scrolling element shows; whether scrolling leads there takes the
    snapshot's DOM rectangles to say.
    """

    hidden: set[int] = field(default_factory=set)
    clickable: set[int] = field(default_factory=set)
    first: list[int] = field(default_factory=list)
    files: set[int] = field(default_factory=set)
    secret: set[int] = field(default_factory=set)
    current: dict[int, str] = field(default_factory=dict)
    hints: dict[int, str] = field(default_factory=dict)
    controls: dict[int, dict[str, Any]] = field(default_factory=dict)
    frames: dict[int, bool] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    pictures: int = 0
    scrolled: bool = False

    def as_json(self) -> dict[str, Any]:
        """Give what a stored capture keeps of it."""
        return {
            "hidden": sorted(self.hidden),
            "clickable": sorted(self.clickable),
            "first": self.first,
            "files": sorted(self.files),
            "current": {str(key): value for key, value in self.current.items()},
            "hints": {str(key): value for key, value in self.hints.items()},
            "controls": {str(key): value for key, value in self.controls.items()},
            "pictures": self.pictures,
        }
