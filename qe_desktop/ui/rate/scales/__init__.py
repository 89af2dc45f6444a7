"""Widgets for answers on scales: large buttons, slider and card."""
