"""Thresholds of word scores."""
