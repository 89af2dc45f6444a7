"""Excel workbooks, read and written with unchanged bytes where nothing was edited."""
