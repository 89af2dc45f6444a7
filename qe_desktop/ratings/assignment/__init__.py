"""Seeded, blind assignment of items to raters, and the order of each rater's items."""
