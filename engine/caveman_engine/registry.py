"""The one ordered tuple of compressors. On a tie of detection scores the earlier one is tried first."""

from caveman_engine.compressors import (
    a11y,
    code,
    config,
    diff,
    documents,
    html,
    json,
    log,
    repetition,
    search,
    tabular,
    terminal,
    text,
    toolschema,
    toolschema_annotations,
    toon,
)
from caveman_engine.views import Compressor

COMPRESSORS: tuple[Compressor, ...] = (
    documents.COMPRESSOR,
    json.COMPRESSOR,
    diff.COMPRESSOR,
    search.COMPRESSOR,
    terminal.COMPRESSOR,
    log.COMPRESSOR,
    html.COMPRESSOR,
    tabular.COMPRESSOR,
    config.COMPRESSOR,
    code.COMPRESSOR,
    text.COMPRESSOR,
    toolschema.COMPRESSOR,
    toolschema_annotations.COMPRESSOR,
    toon.COMPRESSOR,
    a11y.COMPRESSOR,
    repetition.COMPRESSOR,
)
BY_NAME = {compressor.name: compressor for compressor in COMPRESSORS}
