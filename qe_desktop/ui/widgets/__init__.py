"""Widgets, models and painters shared by several areas; they depend on frozen values, not on the session or an area."""
