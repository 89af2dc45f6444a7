"""Main window: rail, areas, start page, notices, status bar, commands and their shortcuts."""
