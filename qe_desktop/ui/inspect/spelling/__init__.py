"""Spelling in the target editor."""
