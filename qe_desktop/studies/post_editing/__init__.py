"""What post-editing tells: times, keys and edits, which highlights were right, which segments need no reading."""
