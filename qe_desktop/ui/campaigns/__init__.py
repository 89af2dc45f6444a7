"""Manual evaluation, owner's side: set up campaigns, monitor progress, view results."""
