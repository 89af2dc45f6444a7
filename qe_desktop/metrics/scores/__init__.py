"""Metrics of one score per segment: correlation and errors."""
