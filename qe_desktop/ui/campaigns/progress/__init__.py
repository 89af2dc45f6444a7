"""Watching a campaign."""
