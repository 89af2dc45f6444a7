"""Formats of score files: lines of numbers, tables, and metric scores."""
