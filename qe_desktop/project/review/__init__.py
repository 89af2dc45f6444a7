"""Targets, statuses and notes that a person sets."""
