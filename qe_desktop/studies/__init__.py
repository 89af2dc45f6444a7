"""Studies: which metric can be trusted, and whether it agrees with people."""
