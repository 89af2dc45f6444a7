"""The command line, over the same functions as the window."""
