"""Widgets, models and painters shared by several areas; they use immutable values, not the session or an area."""
