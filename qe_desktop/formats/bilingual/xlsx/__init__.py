"""Excel workbooks, read and written byte by byte where nothing changed."""
