"""Compressors, one content type a file."""
