"""Safe opening and writing of files."""
