"""Opening files and folders: what was recognised, what does not fit, and what a person changes about it."""
