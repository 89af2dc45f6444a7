"""Studies: how metrics behave, and whether they agree with people."""
