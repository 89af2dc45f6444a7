"""Metrics of one number per segment: correlation and errors."""
