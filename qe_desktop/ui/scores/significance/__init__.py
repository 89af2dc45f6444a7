"""Matrix of significance tests between systems."""
