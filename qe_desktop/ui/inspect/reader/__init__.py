"""The current segment: its text, tags and their explanation."""
