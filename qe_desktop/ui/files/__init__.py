"""Opening, reading and saving files in the window."""
