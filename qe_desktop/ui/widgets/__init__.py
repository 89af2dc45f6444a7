"""Widgets, models and painters that several areas share; they know frozen values, no session and no area."""
