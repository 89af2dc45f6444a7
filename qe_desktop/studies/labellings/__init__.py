"""Synthetic labellings that know nothing of the text."""
