"""Post-editing studies: times, keystrokes and edits, usefulness of highlights, and segments that can be skipped."""
