"""Review of a bilingual file as a page, and its statistics."""
