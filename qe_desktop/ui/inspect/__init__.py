"""The Inspect area: the list of segments, and the reader with gold and systems word by word."""
