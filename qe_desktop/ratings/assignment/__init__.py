"""Assignment: which rater rates what in which order, seeded and blind."""
