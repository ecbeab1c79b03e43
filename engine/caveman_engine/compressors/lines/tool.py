"""What the lines of one command-line tool are worth. Owns the shape of the tables `tools_*`; the scores are `levels`.

Patterns match from the start of a line without colour codes and time stamp. Knows no payload and chooses nothing.
"""

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Tool:
    """One tool: ``mark`` proves it; ``rules`` are (score, pattern), the first that matches a line decides."""

    name: str
    mark: str
    rules: tuple[tuple[float, str], ...]

    @cached_property
    def proof(self) -> re.Pattern[str]:
        """Give the compiled mark."""
        return re.compile(self.mark)

    @cached_property
    def patterns(self) -> tuple[tuple[float, re.Pattern[str]], ...]:
        """Give the compiled rules."""
        return tuple((score, re.compile(pattern)) for score, pattern in self.rules)
