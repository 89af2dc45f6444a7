"""Bilingual files under review: save them in place, save copies, and export them to other formats."""
