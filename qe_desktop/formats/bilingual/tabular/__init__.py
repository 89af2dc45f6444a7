"""Bilingual CSV and TSV tables, and the roles of their columns."""
