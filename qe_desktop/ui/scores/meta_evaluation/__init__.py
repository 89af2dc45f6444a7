"""Metric meta-evaluation: agreement of metrics with human scores."""
