"""Undo and redo of tag edits, review steps, and added or removed layers, in one common order."""
