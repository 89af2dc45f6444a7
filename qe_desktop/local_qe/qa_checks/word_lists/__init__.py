"""Checks against the user's own lists: terms and forbidden words."""
