"""QE systems of one's own and plain checks in the window: named in Preferences, run beside the window."""
