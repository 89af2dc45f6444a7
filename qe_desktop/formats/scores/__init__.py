"""Score files: lines, tables, metric scores."""
