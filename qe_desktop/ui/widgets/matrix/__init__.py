"""A matrix of cells with headers and a legend."""
