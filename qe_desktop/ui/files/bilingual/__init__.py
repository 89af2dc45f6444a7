"""Translators' files that are reviewed: saved where they lie, copied, and exported to other kinds."""
