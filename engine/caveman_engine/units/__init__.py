"""Cutting an original into the units that a query view shows whole: records, rows, events, paragraphs, blocks."""
