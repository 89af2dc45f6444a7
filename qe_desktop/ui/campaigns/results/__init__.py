"""What came of a campaign: systems, pairs, agreement, raters, comments."""
