"""Metrics against human scores."""
