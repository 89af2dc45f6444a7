"""Legend of the marks in a segment."""
