"""Files of scores: lines, tables, metric scores."""
