"""Aggregation of ratings: means, tests, rankings and clusters of systems."""
