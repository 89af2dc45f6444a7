"""Bilingual files under review: saving in place, saving of copies, and export to other formats."""
