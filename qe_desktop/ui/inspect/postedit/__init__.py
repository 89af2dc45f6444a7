"""Post-editing: target, status, note and history of a segment."""
