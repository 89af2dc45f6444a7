"""Metric checks page: trivial baselines, repeated sampling and thresholds."""
