"""Reader of the current segment: texts, tags and explanations."""
