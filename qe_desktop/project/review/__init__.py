"""Review of segments: targets, statuses and notes that the user sets."""
