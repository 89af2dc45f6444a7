"""Style of the standard controls."""
