"""Post-editing studies: times, keystrokes and edits, usefulness of highlights, segments that can be skipped."""
