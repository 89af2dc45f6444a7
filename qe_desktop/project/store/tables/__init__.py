"""The tables of a project, and how their cells are written."""
