"""Correcting the MT: the target of a segment, its status, note and history."""
