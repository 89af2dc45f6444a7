"""Segment list: search, filter, sort, select."""
