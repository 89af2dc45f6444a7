"""Bilingual tables (CSV, TSV) and Excel workbooks; parts that are not edited are kept unchanged."""
