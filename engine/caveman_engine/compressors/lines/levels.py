"""What the line views agree on: the levels of worth, and the digest that is filled step by step.

Owns shapes and the scale: a score says how much a reader would miss a line, 0 to about 12.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from caveman_engine.templates import Template

EXAMPLE = 1.8  # the first line of any template: what the lines left out are like
NEVER = 0.0  # given to a line: another one says the same, or it is no event
# Of forms above ERROR every different line is scored, of the others the first.
EXIT, FAILED_ID, TOTAL, ERROR, TROUBLE, PLAIN, ROUTINE = 10.5, 10.0, 8.5, 7.0, 4.5, 2.0, 0.2
HEADING, DETAIL, SOURCE = 4.0, 1.0, 0.5  # of a tool's output


@dataclass(frozen=True, slots=True)
class Column:
    """Words at one place in all lines of a template, few different ones; ``before``: the word before all, or ""."""

    position: int
    before: str
    values: list[str]


@dataclass(slots=True)
class Digest:
    """Lines, their templates, and scores by line index.

    ``failures`` are lines that say what failed, ``routine`` those of steps that went well; ``stamped``: most
    lines begin with a time. By the number of their template: ``columns``, and ``grave`` ones that speak of trouble.
    ``blocks``: of each part of the text that belongs together, such as a commit, the lines that tell what it is.
    """

    lines: Sequence[str]
    groups: dict[str, list[int]]
    levels: dict[str, float]
    templates: list[Template]
    scores: dict[int, float]
    failures: set[int]
    routine: set[int]
    columns: dict[int, list[Column]]
    grave: set[int]
    stamped: bool
    blocks: list[list[int]] = field(default_factory=list)

    def raise_to(self, index: int, score: float) -> None:
        """Score a line at least ``score``."""
        if score > self.scores.get(index, 0.0):
            self.scores[index] = score
