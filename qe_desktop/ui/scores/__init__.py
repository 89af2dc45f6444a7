"""Scores area: systems × metrics, significance, charts, and the narrow panel for Inspect."""
