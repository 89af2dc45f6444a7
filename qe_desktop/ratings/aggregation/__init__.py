"""Aggregation of ratings: statistics, order and clusters of systems."""
