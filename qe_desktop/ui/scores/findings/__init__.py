"""Findings: all systems by every metric, of what is open or of each language pair in a folder."""
