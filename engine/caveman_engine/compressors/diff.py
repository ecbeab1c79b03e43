"""[diff] not built yet."""

from collections.abc import Iterator

from caveman_engine.payload import Payload
from caveman_engine.views import Compressor, Request, View


def detect(payload: Payload) -> float:
    return 0.0


def views(payload: Payload, request: Request) -> Iterator[View]:
    return iter(())


COMPRESSOR = Compressor("diff", detect, views)
