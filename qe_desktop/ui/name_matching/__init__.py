"""Matching of system names in scores and ratings with the open translations."""
