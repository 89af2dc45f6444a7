"""Manual evaluation for the project owner: set up campaigns, monitor progress, view results."""
