"""User-visible texts and their translations."""
