"""Answers on scales: large buttons, the slider, and the card around them."""
