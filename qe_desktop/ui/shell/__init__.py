"""Main window: work areas and their switcher, start page, notices, status bar, and commands with their shortcuts."""
