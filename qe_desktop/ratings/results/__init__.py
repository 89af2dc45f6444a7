"""Results of ratings: statistics of systems, agreement, distributions, and results per rater."""
