"""Metrics and people: whether metrics agree with people, on the systems that are open."""
