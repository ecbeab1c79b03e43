"""The vocabulary between the pipeline and the compressors. Owns shapes only; no behaviour, no I/O."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from caveman_engine.payload import Payload


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller wants of a view.

    ``budget`` is the length in characters that a lossy view should not pass. It is always given; ``hard`` says
    that it comes from ``max_tokens``, so even signals must fit, best first. Otherwise it is a wish that
    must-keep lines may exceed.
    """

    query: str | None
    budget: int
    hard: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """One candidate: text in the reader's eyes, without the footer.

    ``shown`` of ``total`` units of the source stand in it (``unit``: "lines", "records", "rows", "hits", ...).
    ``markers`` counts the marker lines in ``text``: an input cannot forge one unnoticed.
    ``lossless``: every piece of the input's information can be read off the text.
    """

    text: str
    lossless: bool
    unit: str
    shown: int
    total: int
    method: str
    markers: int = 0


@dataclass(frozen=True, slots=True)
class Compressor:
    """One content type: how sure it is of an input (0 to 1), and its candidate views, most faithful first.

    Both functions are total and pure. ``views`` yields nothing for an input it does not know. It is lazy: the
    pipeline stops asking once a view is good enough. ``named_only`` types are never detected.
    """

    name: str
    detect: Callable[[Payload], float]
    views: Callable[[Payload, Request], Iterator[View]]
    named_only: bool = False
