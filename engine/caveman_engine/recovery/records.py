"""The shapes that a recovery store keeps and gives back. No behaviour, no I/O."""
