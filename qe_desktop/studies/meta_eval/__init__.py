"""Metric meta-evaluation: comparison of metrics with human scores."""
