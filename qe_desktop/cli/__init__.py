"""Command line, which uses the same functions as the window.

The `run` of a command returns the exit code, and raises QeError for invalid input.
"""
