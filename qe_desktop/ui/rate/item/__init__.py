"""Parts of the item page that are the same for all protocols: header, question row and footer."""
