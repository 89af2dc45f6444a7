"""The command `study`: one module per study."""
