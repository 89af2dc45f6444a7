"""Inter-annotator and intra-annotator agreement, and reliability of raters."""
