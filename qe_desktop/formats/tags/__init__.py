"""Files of OK/BAD tags and word probabilities."""
