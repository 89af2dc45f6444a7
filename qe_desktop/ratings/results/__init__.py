"""What ratings give: progress, agreement, tables per rater."""
