"""Excel workbooks, read and written; bytes that are not edited do not change."""
