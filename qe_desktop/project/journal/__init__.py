"""Journals of bilingual files that are opened without a project: they store the edits, the MT and its layers."""
