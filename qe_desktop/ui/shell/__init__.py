"""The frame of the window: rail, areas, start page, notices, status, commands and their shortcuts."""
