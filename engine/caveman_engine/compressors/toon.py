"""[toon] Token-Oriented Object Notation by the official package, behind a round-trip guard; only when named.

Owns the guard: a document whose values, key order or number texts would not come back is refused, never altered.
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from caveman_engine import jsontext, markers
from caveman_engine.errors import InvalidDocument, NoRoundTrip
from caveman_engine.jsontext import Number
from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def encode(text: str) -> str:
    """Give a JSON document as TOON.

    Raises:
        InvalidDocument: not one JSON value.
        NoRoundTrip: a key stands twice, nesting is too deep, or a value would not come back as it is spelled.
    """
    import toon_format

    try:
        source = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)
        jsontext.parse(text)  # refuses a key that stands twice
        encoded = str(toon_format.encode(json.loads(text)))
        same = _same(source, toon_format.decode(encoded))
    except jsontext.Duplicate as error:
        raise NoRoundTrip("an object has a key twice") from error
    except RecursionError as error:
        raise NoRoundTrip("nested too deep for TOON") from error
    except json.JSONDecodeError as error:
        raise InvalidDocument(f"not JSON: {error.msg}", where=f"line {error.lineno}") from error
    except ValueError as error:
        raise NoRoundTrip(f"TOON cannot carry this document: {error}") from error
    if not same:
        raise NoRoundTrip("a value would not come back from TOON as it is spelled", hint="keep it as JSON")
    return encoded


def decode(text: str) -> str:
    """Give a TOON document as JSON.

    Raises:
        InvalidDocument: not strict TOON; ``where`` names the line.
        NoRoundTrip: a number has more digits than would be kept.
    """
    import toon_format

    try:
        value = toon_format.decode(text)
        decoded = json.dumps(value, ensure_ascii=False)
    except toon_format.ToonDecodeError as error:
        raise InvalidDocument(f"not TOON: {error.msg}", where=f"line {error.line}") from error
    except (RecursionError, ValueError) as error:
        raise InvalidDocument("not TOON that can be read: nested too deep, or a number too long") from error
    spelled = (
        {Decimal(number) for number in _NUMBER.findall(text)} if "." in text or "e" in text.lower() else set()
    )
    if any(Decimal(repr(number)) not in spelled for number in _floats(value)):
        raise NoRoundTrip("a number has more digits than JSON readers keep")
    return decoded


def _same(source: Any, back: Any) -> bool:
    """Compare what JSON says with what comes back: types, key order, number texts."""
    if type(source) is Number:
        return type(back) in {int, float} and json.dumps(back) == source
    if type(source) is not type(back):
        return False
    if type(source) is dict:
        return list(source) == list(back) and all(map(_same, source.values(), back.values()))
    if type(source) is list:
        return len(source) == len(back) and all(map(_same, source, back))
    return bool(source == back)


def _floats(value: Any) -> Iterator[float]:
    stack = [value]
    while stack:
        here = stack.pop()
        if type(here) is float:
            yield here
        elif type(here) is dict:
            stack.extend(here.values())
        elif type(here) is list:
            stack.extend(here)


def detect(payload: Payload) -> float:
    """Tell what may be JSON."""
    return 0.5 if payload.text.lstrip()[:1] in {"{", "["} else 0.0


def views(payload: Payload, request: Request) -> Iterator[View]:
    """Give the document as TOON, and as minified JSON in case that is smaller."""
    del request  # the same views for every request
    if not detect(payload):
        return
    try:
        encoded = encode(payload.text) + "\n"
    except (InvalidDocument, NoRoundTrip):
        return
    for method, text in (("toon", encoded), ("minify", jsontext.minify(payload.text) + "\n")):
        if not any(map(markers.is_forged, text.split("\n"))):
            yield View(text, lossless=True, unit="values", shown=1, total=1, method=method)


COMPRESSOR = Compressor("toon", detect, views, named_only=True)
