"""Plots based on pyqtgraph: bars, intervals and points, with mouse and keyboard navigation."""
