"""The page of post-editing: figures of people and segments, which highlights were right, what may be skipped."""
