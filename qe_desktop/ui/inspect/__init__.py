"""Inspect area: segment list, and reader with gold and system tags per word."""
