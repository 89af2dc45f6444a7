"""Campaign results: systems, pairs, agreement, raters, comments."""
