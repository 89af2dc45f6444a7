"""Tables as text: TSV and CSV."""
