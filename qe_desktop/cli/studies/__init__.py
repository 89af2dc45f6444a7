"""Command `study`: one module per study."""
