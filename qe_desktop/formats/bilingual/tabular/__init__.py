"""Bilingual tables: CSV, TSV and their columns."""
