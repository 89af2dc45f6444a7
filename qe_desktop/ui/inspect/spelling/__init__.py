"""Spell checking in the target editor."""
