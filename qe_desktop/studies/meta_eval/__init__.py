"""Metric meta-evaluation: metrics against human scores."""
