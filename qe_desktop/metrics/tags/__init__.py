"""Metrics of OK/BAD tags."""
