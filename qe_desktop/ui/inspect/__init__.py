"""Inspect area: the segment list, and the reader, which shows the gold and system tags of each word."""
