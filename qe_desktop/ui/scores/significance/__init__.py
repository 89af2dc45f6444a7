"""The matrix of significance tests between systems."""
