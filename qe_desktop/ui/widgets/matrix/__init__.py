"""Matrix of cells with headers and a legend."""
