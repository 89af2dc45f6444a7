"""Metrics of OK and BAD labels."""
