"""Significance tests between systems: matrix, status line and discriminative power."""
