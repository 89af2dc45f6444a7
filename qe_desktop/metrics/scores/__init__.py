"""Metrics of segment scores: correlation, errors and DeltaAvg."""
