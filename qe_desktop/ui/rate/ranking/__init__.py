"""Ranking cards and their widgets."""
