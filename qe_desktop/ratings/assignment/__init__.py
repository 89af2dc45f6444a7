"""Assignment of items to raters and their order, seeded and blind."""
