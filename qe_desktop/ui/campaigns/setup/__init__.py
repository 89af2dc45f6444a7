"""Setting a campaign up: the form, and what its choices come to."""
