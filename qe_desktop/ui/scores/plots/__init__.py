"""Charts of scores. Modules that need the plotting library are imported when a chart is first shown."""
