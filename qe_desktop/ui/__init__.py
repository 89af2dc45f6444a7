"""Graphical user interface. No other package depends on this one or imports Qt."""
