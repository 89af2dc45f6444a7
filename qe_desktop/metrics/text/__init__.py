"""Metrics of translations against references."""
