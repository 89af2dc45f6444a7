"""Journals that store the edits, the MT and the layers of bilingual files opened without a project."""
