"""Rate area, rater's side: one item at a time, operable by keyboard."""
