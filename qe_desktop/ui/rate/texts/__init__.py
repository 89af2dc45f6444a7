"""Reading views, which show the texts of an item as large plain text."""
