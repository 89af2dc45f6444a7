"""Text tables: TSV and CSV."""
