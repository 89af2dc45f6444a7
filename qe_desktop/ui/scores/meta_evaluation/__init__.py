"""Metric meta-evaluation page: agreement of metrics with human scores."""
