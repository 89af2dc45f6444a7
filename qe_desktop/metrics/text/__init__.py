"""Metrics that compare translations with references."""
