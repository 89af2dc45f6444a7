"""Highlights where a file brings none: QE systems of one's own, run as commands, and plain checks."""
