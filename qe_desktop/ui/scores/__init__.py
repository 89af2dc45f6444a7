"""Scores area: systems × metrics, significance, charts, and the narrow panel in the Inspect area."""
