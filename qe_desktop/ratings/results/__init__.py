"""Results of ratings, with progress, agreement, and tables per rater."""
