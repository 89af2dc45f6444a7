"""Aggregation: statistics of systems from ratings, their order and clusters."""
