"""Checks of punctuation, spaces and number separators by language."""
