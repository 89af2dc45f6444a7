"""Metrics for OK and BAD tags."""
