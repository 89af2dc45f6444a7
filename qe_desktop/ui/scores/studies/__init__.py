"""Metric checks: synthetic labellings, repeated sampling and thresholds."""
