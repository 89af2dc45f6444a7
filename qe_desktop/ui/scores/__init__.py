"""Scores area: scores of systems by metrics, significance tests, charts, and the score panel of the Inspect area."""
