"""Ranked guesses of the content type. Owns the ranking only: each compressor scores its own type.

Scores: 0 not this; 0.3 could be; 0.6 most lines have the form; 0.9 the structure itself was parsed or recognised.
"""

from collections.abc import Collection

from caveman_engine.payload import Payload
from caveman_engine.registry import COMPRESSORS
from caveman_engine.views import Compressor

LEAST = 0.2
RECOGNISED = 0.9


def rank(payload: Payload, off: Collection[str] = ()) -> list[tuple[float, Compressor]]:
    """Give the types that the input may be, surest first; types in ``off`` are switched off."""
    scored = [
        (compressor.detect(payload), compressor)
        for compressor in COMPRESSORS
        if not compressor.named_only and compressor.name not in off
    ]
    return sorted((pair for pair in scored if pair[0] >= LEAST), key=lambda pair: -pair[0])
