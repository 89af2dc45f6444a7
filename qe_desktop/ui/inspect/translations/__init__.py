"""Comparison view of the translations of a segment: lines, highlights, and legend."""
