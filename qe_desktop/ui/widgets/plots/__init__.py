"""Plots on pyqtgraph: bars, intervals, points, and pointing at them."""
