"""Undo and redo of tags, reviews and layers, in one order."""
