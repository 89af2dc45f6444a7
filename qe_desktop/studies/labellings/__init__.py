"""Trivial baselines: synthetic labellings that ignore the text."""
