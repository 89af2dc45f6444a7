"""Results of ratings: progress, agreement, tables per rater."""
