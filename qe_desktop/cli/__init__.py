"""Command line, which uses the same functions as the window.

The `run` function of each command returns the exit code, and raises QeError for invalid input.
"""
