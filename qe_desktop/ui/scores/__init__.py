"""Scores area: metric scores of systems, significance tests, charts, and the score panel of the Inspect area."""
