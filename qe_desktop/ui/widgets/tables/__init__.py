"""Table models, views and delegates."""
