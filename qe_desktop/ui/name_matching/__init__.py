"""Matching the systems of scores and ratings with the translations that are open."""
