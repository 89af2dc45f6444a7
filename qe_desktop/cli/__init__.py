"""Command line, which uses the same functions as the window."""
