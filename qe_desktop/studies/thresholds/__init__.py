"""Thresholds of word probabilities."""
